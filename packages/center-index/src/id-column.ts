const WORDS_PER_ID = 4;

/** UUIDs by number, about 24 bytes each; strings in a Map take 110. */
export class IdColumn {
  readonly size: number;
  private readonly words: Uint32Array;
  /** A hash table with open addressing: the number of an id plus 1, or 0 for a free slot. */
  private readonly slots: Uint32Array;

  constructor(size: number) {
    this.size = size;
    this.words = new Uint32Array(size * WORDS_PER_ID);
    this.slots = new Uint32Array(2 ** Math.ceil(Math.log2(size * 1.5 + 1)));
  }

  set(number: number, id: string): void {
    const hex = id.replaceAll('-', '');
    for (let word = 0; word < WORDS_PER_ID; word += 1) {
      this.words[number * WORDS_PER_ID + word] = Number.parseInt(hex.slice(word * 8, word * 8 + 8), 16);
    }
    let slot = this.slotOf(Number.parseInt(hex.slice(-8), 16));
    while (this.slots[slot] !== 0) slot = this.slotOf(slot + 1);
    this.slots[slot] = number + 1;
  }

  /** Returns undefined for an unknown id. Ignores letter case. */
  numberOf(id: string): number | undefined {
    const lower_case = id.toLowerCase();
    for (let slot = this.slotOf(Number.parseInt(id.slice(-8), 16)); ; slot = this.slotOf(slot + 1)) {
      const number = (this.slots[slot] ?? 0) - 1;
      if (number < 0) return undefined;
      if (this.at(number) === lower_case) return number;
    }
  }

  /** Returns the id with this number, in lower case. */
  at(number: number): string {
    let hex = '';
    for (let word = number * WORDS_PER_ID; word < (number + 1) * WORDS_PER_ID; word += 1) {
      hex += (this.words[word] ?? 0).toString(16).padStart(8, '0');
    }
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
  }

  /** The last word of a random UUID is random, so it serves as the hash. */
  private slotOf(hash: number): number {
    return hash & (this.slots.length - 1);
  }
}
