class Queue {
  constructor() {
    this.results = [];
  }

  push(job) {
    job().then((result) => this.results.push(result));
  }

  drain() {
    return new Promise((resolve) => setTimeout(() => resolve(this.results), 20));
  }
}

module.exports = { Queue };
