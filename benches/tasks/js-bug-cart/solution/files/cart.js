class Cart {
  constructor() {
    this.items = [];
    this.percent = 0;
  }

  add(price, count = 1) {
    this.items.push({ cents: Math.round(price * 100), count });
  }

  setDiscount(percent) {
    this.percent = percent;
  }

  total() {
    let cents = 0;
    for (const item of this.items) cents += item.cents * item.count;
    return Math.round((cents * (100 - this.percent)) / 100) / 100;
  }
}

module.exports = { Cart };
