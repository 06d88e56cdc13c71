class Cart {
  constructor() {
    this.items = [];
  }

  add(price, count = 1) {
    this.items.push({ price, count });
  }

  setDiscount(percent) {
    if (percent) this.percent = percent;
  }

  total() {
    let sum = 0;
    for (const item of this.items) sum += item.price * item.count;
    if (this.percent) sum -= (sum * this.percent) / 100;
    return sum;
  }
}

module.exports = { Cart };
