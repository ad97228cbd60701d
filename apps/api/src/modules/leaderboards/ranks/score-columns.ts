const FIRST_SIZE = 16;
const MAX_LOAD = 0.7;
/** Spreads neighbouring numbers (Knuth's multiplicative hash). */
const HASH_MULTIPLIER = 0x9e3779b1;

/** Scores of one board's users, one entry each: 20 bytes and some 8 of hash table. Entries are never freed. */
export class ScoreColumns {
  size = 0;
  users = new Uint32Array(FIRST_SIZE);
  points = new Int32Array(FIRST_SIZE);
  reached_at_ms = new Float64Array(FIRST_SIZE);
  versions = new Uint32Array(FIRST_SIZE);
  /** 1 + the entry; 0: free. */
  private slots = new Uint32Array(FIRST_SIZE * 2);

  /** Returns the entry of a user (by number); -1: none. */
  find(user: number): number {
    return (this.slots[this.slotOf(user)] ?? 0) - 1;
  }

  /** Returns the entry of a user; a new entry has version 0 and no points. */
  entryOf(user: number): number {
    const slot = this.slotOf(user);
    const known = this.slots[slot] ?? 0;
    if (known > 0) return known - 1;
    const entry = this.size;
    if (entry === this.users.length) this.growColumns();
    this.users[entry] = user;
    this.size += 1;
    this.slots[slot] = this.size;
    if (this.size > this.slots.length * MAX_LOAD) this.growSlots();
    return entry;
  }

  private slotOf(user: number): number {
    const { slots, users } = this;
    const mask = slots.length - 1;
    let slot = hashOf(user) & mask;
    for (;;) {
      const known = slots[slot] ?? 0;
      if (known === 0 || users[known - 1] === user) return slot;
      slot = (slot + 1) & mask;
    }
  }

  private growColumns(): void {
    const { users, points, reached_at_ms, versions } = this;
    const length = Math.ceil(users.length * 1.5);
    this.users = new Uint32Array(length);
    this.users.set(users);
    this.points = new Int32Array(length);
    this.points.set(points);
    this.reached_at_ms = new Float64Array(length);
    this.reached_at_ms.set(reached_at_ms);
    this.versions = new Uint32Array(length);
    this.versions.set(versions);
  }

  private growSlots(): void {
    const slots = new Uint32Array(this.slots.length * 2);
    const mask = slots.length - 1;
    for (let entry = 0; entry < this.size; entry++) {
      let slot = hashOf(this.users[entry] ?? 0) & mask;
      while ((slots[slot] ?? 0) > 0) slot = (slot + 1) & mask;
      slots[slot] = entry + 1;
    }
    this.slots = slots;
  }
}

function hashOf(user: number): number {
  const hash = Math.imul(user, HASH_MULTIPLIER);
  return hash ^ (hash >>> 15);
}
