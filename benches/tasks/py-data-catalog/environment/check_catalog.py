import json

entries = json.load(open("catalog.json", encoding="utf-8"))
ids = [entry["id"] for entry in entries]
assert len(set(ids)) == len(ids), "an id is used twice"
assert ids == sorted(ids), "not sorted"
assert all(isinstance(entry["price"], int) for entry in entries), "a price is not in cents"
assert all(entry["currency"].isupper() for entry in entries), "a currency is not in capital letters"
print("ok")
