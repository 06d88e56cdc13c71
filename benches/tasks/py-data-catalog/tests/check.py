import json

RIGHT = [
    (1, "Lamp", 4900, "EUR"),
    (2, "Desk", 24900, "EUR"),
    (3, "Chair", 8900, "EUR"),
    (4, "Shelf", 7950, "EUR"),
    (5, "Bin", 1250, "USD"),
]
entries = json.load(open("catalog.json", encoding="utf-8"))
found = [(entry["id"], entry["name"], entry["price"], entry["currency"]) for entry in entries]
assert found == RIGHT, found
assert all(type(entry["price"]) is int for entry in entries)
