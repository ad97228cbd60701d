const WORDS = 4;

/** UUIDs by number, about 24 bytes each; as strings in a Map they take 110. */
export class Ids {
  readonly size: number;
  private readonly words: Uint32Array;
  /** A hash table with open addressing: the number of an id plus 1, 0 where the slot is free. */
  private readonly slots: Uint32Array;

  constructor(words: readonly number[]) {
    this.words = Uint32Array.from(words);
    this.size = words.length / WORDS;
    this.slots = new Uint32Array(2 ** Math.ceil(Math.log2(this.size * 1.5 + 1)));
    for (let number = 0; number < this.size; number += 1) {
      let slot = this.slotOf(words[number * WORDS + WORDS - 1] ?? 0);
      while (this.slots[slot] !== 0) slot = this.slotOf(slot + 1);
      this.slots[slot] = number + 1;
    }
  }

  /** Undefined where there is no such id. Either letter case. */
  numberOf(id: string): number | undefined {
    const lower_case = id.toLowerCase();
    for (let slot = this.slotOf(Number.parseInt(id.slice(-8), 16)); ; slot = this.slotOf(slot + 1)) {
      const number = (this.slots[slot] ?? 0) - 1;
      if (number < 0) return undefined;
      if (this.at(number) === lower_case) return number;
    }
  }

  /** In lower case. */
  at(number: number): string {
    let hex = '';
    for (let word = number * WORDS; word < (number + 1) * WORDS; word += 1) {
      hex += (this.words[word] ?? 0).toString(16).padStart(8, '0');
    }
    return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
  }

  /** The last word of a random UUID is random, so that it serves as the hash. */
  private slotOf(hash: number): number {
    return hash & (this.slots.length - 1);
  }
}

/** The UUID as four words. */
export function toWords(id: string): number[] {
  const hex = id.replaceAll('-', '');
  return [0, 8, 16, 24].map((at) => Number.parseInt(hex.slice(at, at + 8), 16));
}
