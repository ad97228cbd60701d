import { randomUUID } from 'node:crypto';
import type { RankIndex } from '#api/modules/leaderboards/ranks/rank-index.ts';
import { openDatabase } from '#api/platform/database.ts';
import { createEventWriter } from '#api/platform/events.ts';
import { findOrInstallRedis, startRedis } from '../redis-server.ts';
import { openScratchPostgres } from '../scratch-postgres.ts';
import { slip } from '../slips.ts';
import { RANK_SLIPS } from './rank-slips.ts';
import type { Athlete } from './world.ts';

export interface RanksOrder {
  changes: number;
  /** A rule that is changed in the code before it is loaded. */
  slip?: string;
}

export interface RanksReport {
  changes: number;
  boards: number;
  answers: number;
  kills: number;
  duration_s: number;
  differences: string[];
}

const SEED = 20_261_122;
const ATHLETES = 120;
/** So many change at the same time, each another athlete. */
const LANES = 8;
/** Of those the ones that give their changes to the process that is killed. */
const MORTAL_LANES = 2;
/** One of so many stays open for a while after it wrote. */
const HELD_ONE_OF = 10;
const HELD_AT_MOST_MS = 40;
const COMPARE_EVERY = 500;
const COMPARED_BOARDS = 24;
const KILL_EVERY = 2_500;
const PROGRESS_EVERY = 5_000;

async function live({ changes: wanted, slip: name }: RanksOrder): Promise<RanksReport> {
  if (name !== undefined) slip(RANK_SLIPS[name] ?? []);
  const { openNodes } = await import('./nodes.ts');
  const { boardsUntil, FIRST_DAY, happen, LAST_DAY, makeAthletes, makeCenters, randomOf } = await import('./world.ts');
  const { carryOut, orderOf } = await import('./carry-out.ts');
  const { compareBoards } = await import('./compare.ts');
  const found = await findOrInstallRedis();
  if ('missing' in found) throw new Error(found.missing);
  const [postgres, redis] = await Promise.all([openScratchPostgres(), startRedis(found.path)]);
  const database = openDatabase(postgres.url);
  const events = createEventWriter(database);
  const random = randomOf(SEED);
  const centers = makeCenters();
  const athletes = makeAthletes(ATHLETES, random);
  const nodes = await openNodes({ database, database_url: postgres.url, redis_url: redis.url, athletes });
  const report: RanksReport = { changes: 0, boards: 0, answers: 0, kills: 0, duration_s: 0, differences: [] };
  const started_at = performance.now();
  let next_kill = KILL_EVERY;
  const timeOf = (nth: number) => FIRST_DAY + Math.floor(((LAST_DAY - FIRST_DAY) * nth) / wanted);

  /** Until that many changes have happened; nothing is under way when it resolves. */
  async function changeUntil(end: number): Promise<void> {
    const busy = new Set<Athlete>();
    const pick = (): Athlete => {
      for (;;) {
        const athlete = athletes[random(athletes.length)];
        if (athlete && !busy.has(athlete)) return athlete;
      }
    };
    const lane = async (nth: number) => {
      while (report.changes < end) {
        report.changes += 1;
        const athlete = pick();
        busy.add(athlete);
        const change = happen(athlete, timeOf(report.changes), centers, random);
        const order = orderOf(change, randomUUID(), random(HELD_ONE_OF) === 0 ? random(HELD_AT_MOST_MS) : 0);
        if (nth < MORTAL_LANES) await nodes.mortal.carryOut(order);
        else {
          await carryOut(events, order);
          nodes.writers[random(nodes.writers.length)]?.noteChange();
        }
        busy.delete(athlete);
        if (report.changes >= next_kill) {
          next_kill += KILL_EVERY;
          await nodes.mortal.kill();
        }
      }
    };
    await Promise.all(Array.from({ length: LANES }, (_, nth) => lane(nth)));
  }

  async function compare(all: boolean): Promise<void> {
    for (const index of nodes.indexes.values()) index.noteChange();
    const boards = boardsUntil(timeOf(report.changes), centers);
    const some = Array.from({ length: COMPARED_BOARDS }, () => boards[random(boards.length)]).filter((one) => !!one);
    const options = { athletes, indexes: nodes.indexes as Map<string, RankIndex>, database, random };
    const { answers, differences, ...rest } = await compareBoards(all ? boards : some, options);
    report.boards += rest.boards;
    report.answers += answers;
    report.differences.push(...differences);
  }

  try {
    while (report.changes < wanted && report.differences.length === 0) {
      await changeUntil(Math.min(wanted, report.changes + COMPARE_EVERY));
      await compare(false);
      if (report.changes % PROGRESS_EVERY === 0 && name === undefined) console.log(`   ${report.changes} changes`);
    }
    if (report.differences.length === 0) await compare(true);
  } finally {
    report.kills = nodes.mortal.kills();
    await nodes.close();
    await database.destroy();
    await Promise.all([redis.stop(), postgres.remove()]);
  }
  report.duration_s = (performance.now() - started_at) / 1000;
  return report;
}

const report = await live(JSON.parse(process.argv[2] ?? '{}') as RanksOrder);
process.send?.({ ...report, differences: report.differences.slice(0, 3) });
process.disconnect?.();
