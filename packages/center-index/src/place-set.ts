const BITS = 32;

/**
 * A set of places in the tree that knows how many of them lie in any part of it: 250 KB for a million places, however many
 * are in it. Neighbours in the tree are neighbours here.
 */
export class PlaceSet {
  private readonly words: Uint32Array;
  /** How many lie before each word, and after the last one how many there are. */
  private readonly before: Uint32Array;

  /** Of the places from 0 to `size` − 1, those that pass. */
  constructor(size: number, passes: (place: number) => boolean) {
    const words = new Uint32Array(Math.ceil(size / BITS) + 1);
    const before = new Uint32Array(words.length);
    let count = 0;
    for (let at = 0; at < words.length; at += 1) {
      before[at] = count;
      const end = Math.min(size, (at + 1) * BITS);
      let word = 0;
      for (let place = at * BITS; place < end; place += 1) {
        if (!passes(place)) continue;
        word |= 1 << place;
        count += 1;
      }
      words[at] = word;
    }
    this.words = words;
    this.before = before;
  }

  /** How many places are in it. */
  get size(): number {
    return this.before[this.before.length - 1] ?? 0;
  }

  has(place: number): boolean {
    return ((this.words[place >>> 5] ?? 0) & (1 << place)) !== 0;
  }

  /** How many lie from `left` to `right`, both included. */
  countWithin(left: number, right: number): number {
    return this.countBelow(right + 1) - this.countBelow(left);
  }

  private countBelow(end: number): number {
    const at = end >>> 5;
    return (this.before[at] ?? 0) + countBits((this.words[at] ?? 0) & ((1 << end) - 1));
  }
}

/** Set bits of a word (H. S. Warren, Hacker's Delight, 5-2). */
function countBits(word: number): number {
  const pairs = word - ((word >>> 1) & 0x55555555);
  const fours = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333);
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}
