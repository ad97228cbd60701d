const BITS = 32;

/** A set of center numbers, one bit for each center there is: 125 KB for a million, however many are in it. */
export class NumberSet implements Iterable<number> {
  private readonly words: Uint32Array;
  private count = 0;

  /** For numbers from 0 to `size` − 1. */
  constructor(size: number) {
    this.words = new Uint32Array(Math.ceil(size / BITS));
  }

  /** How many numbers are in it. */
  get size(): number {
    return this.count;
  }

  add(number: number): void {
    const at = number >>> 5;
    const word = this.words[at] ?? 0;
    const bit = 1 << (number & 31);
    if ((word & bit) !== 0) return;
    this.words[at] = word | bit;
    this.count += 1;
  }

  has(number: number): boolean {
    return ((this.words[number >>> 5] ?? 0) & (1 << (number & 31))) !== 0;
  }

  /** In ascending order. */
  *[Symbol.iterator](): Iterator<number> {
    for (let at = 0; at < this.words.length; at += 1) {
      let word = this.words[at] ?? 0;
      while (word !== 0) {
        const bit = BITS - 1 - Math.clz32(word & -word);
        yield at * BITS + bit;
        word &= word - 1;
      }
    }
  }
}

/** The numbers as a set; a set is returned as it is. Numbers outside of the index are left out. */
export function toNumberSet(numbers: Iterable<number>, size: number): NumberSet {
  if (numbers instanceof NumberSet) return numbers;
  const set = new NumberSet(size);
  for (const number of numbers) if (number >= 0 && number < size) set.add(number);
  return set;
}
