class Queue {
  constructor() {
    this.results = [];
    this.last = Promise.resolve();
  }

  push(job) {
    const place = this.results.push(undefined) - 1;
    const run = async () => {
      this.results[place] = await job();
    };
    this.last = this.last.then(run).catch(() => {});
  }

  async drain() {
    await this.last;
    return this.results;
  }
}

module.exports = { Queue };
