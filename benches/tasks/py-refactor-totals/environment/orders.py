def price(order):
    amount = order["count"] * order["unit"]
    if order["customer"] == "trade":
        amount -= amount * 12 // 100
    elif amount >= 1000:
        amount -= amount * 5 // 100
    return amount


def invoice(order):
    amount = order["count"] * order["unit"]
    if order["customer"] == "trade":
        amount -= amount * 12 // 100
    elif amount >= 1000:
        amount -= amount * 5 // 100
    return f"{order['id']}: {amount}"


def refund(order, returned):
    amount = returned * order["unit"]
    if order["customer"] == "trade":
        amount -= amount * 12 // 100
    elif amount >= 1000:
        amount -= amount * 5 // 100
    return -amount
