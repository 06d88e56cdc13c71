import sys
sys.path.insert(0, ".")

import ast

import orders

for customer in ("trade", "private"):
    for count, unit in [(1, 10), (10, 100), (7, 143), (999, 1), (3, 4001)]:
        order = {"id": "A1", "count": count, "unit": unit, "customer": customer}
        amount = count * unit
        cut = amount * 12 // 100 if customer == "trade" else amount * 5 // 100 if amount >= 1000 else 0
        assert orders.discount(amount, customer) == cut
        assert orders.price(order) == amount - cut
        assert orders.invoice(order) == f"A1: {amount - cut}"
        assert orders.refund(order, count) == cut - amount

tree = ast.parse(open("orders.py", encoding="utf-8").read())
for function in (node for node in tree.body if isinstance(node, ast.FunctionDef)):
    numbers = {node.value for node in ast.walk(function) if isinstance(node, ast.Constant)}
    if function.name != "discount":
        assert not numbers & {12, 5, 100, 1000}, f"{function.name} has numbers of the discount"
