def discount(amount, customer):
    if customer == "trade":
        return amount * 12 // 100
    if amount >= 1000:
        return amount * 5 // 100
    return 0


def price(order):
    amount = order["count"] * order["unit"]
    return amount - discount(amount, order["customer"])


def invoice(order):
    return f"{order['id']}: {price(order)}"


def refund(order, returned):
    amount = returned * order["unit"]
    return discount(amount, order["customer"]) - amount
