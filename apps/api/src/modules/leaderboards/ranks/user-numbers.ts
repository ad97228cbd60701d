const WORDS = 4;
/** Some 130 bytes each. */
const MAX_TEXTS = 50_000;
const FIRST_SIZE = 1024;
/** Shards of the hash table: each grows by itself, so that one resize is too short to notice. */
const SHARDS = 64;
const SHARD_SHIFT = 26;
const FIRST_SHARD_SIZE = 32;
/** Maximum load of the slots; beyond it searches become long. */
const MAX_LOAD = 0.7;
const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));
const DASH = 45;
const NIBBLES = Uint8Array.from({ length: 128 }, (_, code) => Number.parseInt(String.fromCharCode(code), 16) || 0);

/**
 * Assigns every user a number, 0, 1, 2, …, once for all boards: 16 bytes of id and some 8 of hash table per user, where
 * a map of strings takes over 150. Numbers are never freed.
 */
export class UserNumbers {
  size = 0;
  /** Four big-endian words per id, so that words compare like ids. */
  private ids = new Uint32Array(FIRST_SIZE * WORDS);
  /** Each slot holds 1 + the number; 0: free. */
  private readonly shards = Array.from({ length: SHARDS }, () => new Uint32Array(FIRST_SHARD_SIZE));
  private readonly counts = new Uint32Array(SHARDS);
  private readonly id_words = new Uint32Array(WORDS);
  /** Texts of recently read ids: a caller that uses a new text as a key pays for the text and its hash each time. */
  private readonly texts = new Map<number, string>();

  /** Returns the user's number; assigns a number to a new user. */
  numberOf(user_id: string): number {
    parseWords(user_id, this.id_words);
    const hash = hashAt(this.id_words, 0);
    const shard = hash >>> SHARD_SHIFT;
    const slots = this.slotsOf(shard);
    const slot = this.findSlot(slots, hash);
    const known = slots[slot] ?? 0;
    if (known > 0) return known - 1;
    const number = this.size;
    if ((number + 1) * WORDS > this.ids.length) this.ids = growIds(this.ids);
    this.ids.set(this.id_words, number * WORDS);
    this.size += 1;
    slots[slot] = this.size;
    const count = (this.counts[shard] ?? 0) + 1;
    this.counts[shard] = count;
    if (count > slots.length * MAX_LOAD) this.shards[shard] = this.growSlots(slots);
    return number;
  }

  /** Returns -1 for a user without a number. */
  find(user_id: string): number {
    parseWords(user_id, this.id_words);
    const hash = hashAt(this.id_words, 0);
    const slots = this.slotsOf(hash >>> SHARD_SHIFT);
    return (slots[this.findSlot(slots, hash)] ?? 0) - 1;
  }

  idOf(number: number): string {
    const known = this.texts.get(number);
    if (known !== undefined) return known;
    const at = number * WORDS;
    const [a, d] = [hexOf(this.ids[at] ?? 0), hexOf(this.ids[at + 3] ?? 0)];
    const [b, c] = [hexOf(this.ids[at + 1] ?? 0), hexOf(this.ids[at + 2] ?? 0)];
    const id = `${a}-${b.slice(0, 4)}-${b.slice(4)}-${c.slice(0, 4)}-${c.slice(4)}${d}`;
    if (this.texts.size === MAX_TEXTS) this.texts.clear();
    this.texts.set(number, id);
    return id;
  }

  /** Negative if the first one's id comes first. */
  compare(one: number, other: number): number {
    const { ids } = this;
    for (let word = 0; word < WORDS; word++) {
      const difference = (ids[one * WORDS + word] ?? 0) - (ids[other * WORDS + word] ?? 0);
      if (difference !== 0) return difference;
    }
    return 0;
  }

  private slotsOf(shard: number): Uint32Array<ArrayBuffer> {
    const slots = this.shards[shard];
    if (!slots) throw new RangeError(`There is no shard ${shard}`);
    return slots;
  }

  /** Returns the slot of the id in `lookup_words`, or where it would go. */
  private findSlot(slots: Uint32Array, hash: number): number {
    const { ids, id_words } = this;
    const [a, b, c, d] = [id_words[0], id_words[1], id_words[2], id_words[3]];
    const mask = slots.length - 1;
    let slot = hash & mask;
    for (;;) {
      const known = slots[slot] ?? 0;
      const at = (known - 1) * WORDS;
      if (known === 0) return slot;
      if (ids[at] === a && ids[at + 1] === b && ids[at + 2] === c && ids[at + 3] === d) return slot;
      slot = (slot + 1) & mask;
    }
  }

  private growSlots(slots: Uint32Array): Uint32Array<ArrayBuffer> {
    const wider = new Uint32Array(slots.length * 2);
    const mask = wider.length - 1;
    for (const known of slots) {
      if (known === 0) continue;
      let slot = hashAt(this.ids, (known - 1) * WORDS) & mask;
      while ((wider[slot] ?? 0) > 0) slot = (slot + 1) & mask;
      wider[slot] = known;
    }
    return wider;
  }
}

/** Grows by half: one copy of the ids. */
function growIds(ids: Uint32Array<ArrayBuffer>): Uint32Array<ArrayBuffer> {
  const wider = new Uint32Array((ids.length * 1.5) & -WORDS);
  wider.set(ids);
  return wider;
}

/** Ids may not be random, so all their words are mixed. */
function hashAt(words: Uint32Array, at: number): number {
  let hash = 0;
  for (let word = at; word < at + WORDS; word++) {
    hash = Math.imul(hash ^ (words[word] ?? 0), 0x9e3779b1);
    hash ^= hash >>> 15;
  }
  return hash;
}

function parseWords(user_id: string, words: Uint32Array): void {
  let at = 0;
  let word = 0;
  let digits = 0;
  for (let index = 0; index < user_id.length; index++) {
    const code = user_id.charCodeAt(index);
    if (code === DASH) continue;
    word = (word << 4) | (NIBBLES[code] ?? 0);
    digits += 1;
    if (digits % 8 === 0) words[at++] = word;
  }
}

function hexOf(word: number): string {
  return `${HEX[word >>> 24]}${HEX[(word >>> 16) & 255]}${HEX[(word >>> 8) & 255]}${HEX[word & 255]}`;
}
