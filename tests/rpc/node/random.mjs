// Random numbers that a seed repeats (mulberry32). REPATH_TEST_SEED sets the seed; every test that
// uses one prints it.
const chosen = Number(process.env.REPATH_TEST_SEED ?? Date.now() % 2 ** 31);

export function seed() {
  return chosen;
}

export class Random {
  constructor(start) {
    this.state = start >>> 0;
  }

  // Returns a number in [0, 1).
  next() {
    this.state = (this.state + 0x6d2b79f5) >>> 0;
    let mixed = this.state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  // Returns a whole number in [0, end).
  below(end) {
    return Math.floor(this.next() * end);
  }

  of(list) {
    return list[this.below(list.length)];
  }

  chance(probability) {
    return this.next() < probability;
  }
}
