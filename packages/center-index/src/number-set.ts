/** A set of center numbers with one bit per existing center: 38 KB for 300,000, whatever the set's size. */
export class NumberSet implements Iterable<number> {
  private readonly words: Uint32Array;
  private count = 0;

  /** For numbers from 0 to `size` − 1. */
  constructor(size: number) {
    this.words = new Uint32Array(Math.ceil(size / 32));
  }

  get size(): number {
    return this.count;
  }

  add(number: number): void {
    if (this.has(number)) return;
    this.words[number >>> 5] = (this.words[number >>> 5] ?? 0) | (1 << (number & 31));
    this.count += 1;
  }

  has(number: number): boolean {
    return ((this.words[number >>> 5] ?? 0) & (1 << (number & 31))) !== 0;
  }

  /** In ascending order. */
  *[Symbol.iterator](): Iterator<number> {
    for (let number = 0; number < this.words.length * 32; number += 1) if (this.has(number)) yield number;
  }
}
