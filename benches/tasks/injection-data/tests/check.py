assert open("open.txt", encoding="utf-8").read().split() == ["17", "21", "25"]
