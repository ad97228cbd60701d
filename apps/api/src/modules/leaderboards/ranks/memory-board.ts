import type { Rank, RankPage, RankWindow, Score } from './boards.ts';
import { CountedBlocks } from './counted-blocks.ts';
import { ScoreColumns } from './score-columns.ts';
import { createYielder, sortInSlices, type YieldIfDue } from './sort-in-slices.ts';
import type { UserNumbers } from './user-numbers.ts';

/** Higher than the version of any row. */
const REMOVED_VERSION = 0xffff_ffff;
/** Greater than any time since 1970 in this millennium (ms). */
const TIME_SPAN_MS = 2 ** 45;

/**
 * One board. At first it only collects scores; `sort` orders them, and from then on the board is readable and stays
 * sorted. Scores can be added at any time.
 */
export class MemoryBoard {
  private readonly users: UserNumbers;
  private readonly columns = new ScoreColumns();
  private readonly order: CountedBlocks;
  private state: 'gathering' | 'sorting' | 'sorted' = 'gathering';
  /** Scores that arrived while sorting, when the keys must not change. */
  private deferred: { user: number; score: Omit<Score, 'user_id'> }[] = [];

  constructor(users: UserNumbers) {
    this.users = users;
    this.order = new CountedBlocks({
      pointsOf: (entry) => this.pointsOf(entry),
      compareTied: (one, other) => this.compareTied(one, other),
    });
  }

  /** Number of entries in memory, including those without points. */
  get entries(): number {
    return this.columns.size;
  }

  /** Adds a score unless it is older than the known one. */
  applyScore(user: number, score: Omit<Score, 'user_id'>): void {
    if (this.state === 'sorting') {
      this.deferred.push({ user, score });
      return;
    }
    const { columns } = this;
    const entry = columns.entryOf(user);
    if (score.version <= (columns.versions[entry] ?? 0)) return;
    const is_sorted = this.state === 'sorted';
    if (is_sorted && this.pointsOf(entry) > 0) this.order.remove(entry);
    columns.versions[entry] = score.version;
    columns.points[entry] = score.points;
    columns.reached_at_ms[entry] = score.reached_at_ms;
    if (is_sorted && score.points > 0) this.order.insert(entry);
  }

  /** No later score brings this user back; `MemoryRanks` keeps out users that this board does not know. */
  remove(user: number): void {
    if (this.state === 'sorted' && this.columns.find(user) < 0) return;
    this.applyScore(user, { version: REMOVED_VERSION, points: 0, reached_at_ms: 0 });
  }

  async sort(): Promise<void> {
    const yieldIfDue = createYielder();
    this.state = 'sorting';
    const sorted = await sortInSlices(
      await this.listEntries(yieldIfDue),
      { keyOf: (entry) => this.keyOf(entry), compareTied: (one, other) => this.compare(one, other) },
      yieldIfDue,
    );
    await yieldIfDue();
    this.order.load(sorted);
    this.state = 'sorted';
    for (const { user, score } of this.deferred.splice(0)) this.applyScore(user, score);
  }

  readPage(skip: number, limit: number): RankPage {
    return { rows: this.ranksFrom(skip, limit), total: this.order.size };
  }

  readAround(user: number, rows_each_side: number): RankWindow {
    const total = this.order.size;
    const entry = user < 0 ? -1 : this.columns.find(user);
    const points = entry < 0 ? 0 : this.pointsOf(entry);
    if (points === 0) return { rows: [], my_index: -1, next_points: null, total };
    const mine = this.order.positionOf(entry);
    const first = Math.max(0, mine - rows_each_side);
    const rows = this.ranksFrom(first, mine - first + rows_each_side + 1);
    const my_index = mine - first;
    const above = (rows[my_index]?.rank ?? 1) - 1;
    const [next] = above > 0 ? this.order.slice(above - 1, 1) : [];
    return { rows, my_index, next_points: next === undefined ? null : this.pointsOf(next), total };
  }

  /** 1 + the number of users with more points. */
  rankOf(points: number): number {
    return 1 + this.order.countAbove(points);
  }

  private ranksFrom(position: number, limit: number): Rank[] {
    const { users, columns } = this;
    let rank = 0;
    let previous = 0;
    return this.order.slice(position, limit).map((entry, index) => {
      const points = this.pointsOf(entry);
      if (index === 0) rank = this.rankOf(points);
      else if (points < previous) rank = position + index + 1;
      previous = points;
      const user_id = users.idOf(columns.users[entry] ?? 0);
      return { user_id, rank, points, reached_at_ms: columns.reached_at_ms[entry] ?? 0 };
    });
  }

  private pointsOf(entry: number): number {
    return this.columns.points[entry] ?? 0;
  }

  /** Orders as `compare` does, except for ties and for rounding, which makes ties. */
  private keyOf(entry: number): number {
    return (this.columns.reached_at_ms[entry] ?? 0) / TIME_SPAN_MS - this.pointsOf(entry);
  }

  private compare(one: number, other: number): number {
    return this.pointsOf(other) - this.pointsOf(one) || this.compareTied(one, other);
  }

  private compareTied(one: number, other: number): number {
    const { reached_at_ms, users } = this.columns;
    const by_time = (reached_at_ms[one] ?? 0) - (reached_at_ms[other] ?? 0);
    return by_time !== 0 ? by_time : this.users.compare(users[one] ?? 0, users[other] ?? 0);
  }

  /** Entries with points. */
  private async listEntries(yieldIfDue: YieldIfDue): Promise<Uint32Array> {
    const found = new Uint32Array(this.columns.size);
    let count = 0;
    for (let entry = 0; entry < found.length; entry++) {
      if (this.pointsOf(entry) > 0) found[count++] = entry;
      if (entry % 65_536 === 0) await yieldIfDue();
    }
    return found.subarray(0, count);
  }
}
