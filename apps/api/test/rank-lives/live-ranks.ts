import { randomUUID } from 'node:crypto';
import { openDatabase } from '#api/database/database.ts';
import { createEventWriter } from '#api/events/events.ts';
import { openScratchPostgres } from '../database/scratch-postgres.ts';
import { sendReport } from '../send-report.ts';
import { patchSources } from '../source-patches.ts';
import { RANK_PATCHES } from './rank-patches.ts';
import type { Athlete, Random } from './world.ts';

export interface RanksOrder {
  changes: number;
  /** A rule to change in the code before it is loaded. */
  arm?: string;
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
/** So many athletes change concurrently. */
const LANES = 8;
/** The lanes that give their changes to the process that is killed. */
const MORTAL_LANES = 2;
/** One of so many transactions stays open for a while after its write. */
const HELD_ONE_OF = 10;
const HELD_AT_MOST_MS = 40;
const COMPARE_EVERY = 500;
const COMPARED_BOARDS = 24;
const KILL_EVERY = 2_500;
const PROGRESS_EVERY = 5_000;

/** The modules under test are loaded only now, so that patches can be applied to them first. */
async function openRun({ changes: wanted, arm: name }: RanksOrder) {
  if (name !== undefined) patchSources(RANK_PATCHES[name] ?? []);
  const { openNodes } = await import('./nodes.ts');
  const { boardsUntil, FIRST_DAY, happen, LAST_DAY, makeAthletes, makeCenters, randomOf } = await import('./world.ts');
  const { carryOut, orderOf } = await import('./carry-out.ts');
  const { compareBoards } = await import('./compare.ts');
  const postgres = await openScratchPostgres();
  const database = openDatabase(postgres.url);
  const random = randomOf(SEED);
  const athletes = makeAthletes(ATHLETES, random);
  const nodes = await openNodes({ database, database_url: postgres.url, athletes });
  return {
    ...{ boardsUntil, happen, carryOut, orderOf, compareBoards, database, random, athletes, nodes },
    events: createEventWriter(database),
    centers: makeCenters(),
    next_kill: KILL_EVERY,
    report: { changes: 0, boards: 0, answers: 0, kills: 0, duration_s: 0, differences: [] } as RanksReport,
    timeOf: (nth: number) => FIRST_DAY + Math.floor(((LAST_DAY - FIRST_DAY) * nth) / wanted),
    async close() {
      await nodes.close();
      await database.destroy();
      await postgres.remove();
    },
  };
}

type Run = Awaited<ReturnType<typeof openRun>>;

/** Runs until so many changes have happened; no change is in flight when it resolves. */
async function changeUntil(run: Run, end: number): Promise<void> {
  const { report, nodes, athletes, random } = run;
  const busy = new Set<Athlete>();
  const lane = async (nth: number) => {
    while (report.changes < end) {
      report.changes += 1;
      const athlete = pickIdle(athletes, busy, random);
      busy.add(athlete);
      const change = run.happen(athlete, run.timeOf(report.changes), run.centers, random);
      const order = run.orderOf(change, randomUUID(), random(HELD_ONE_OF) === 0 ? random(HELD_AT_MOST_MS) : 0);
      if (nth < MORTAL_LANES) await nodes.mortal.carryOut(order);
      else {
        await run.carryOut(run.events, order);
        nodes.writers[random(nodes.writers.length)]?.notifyChange();
      }
      busy.delete(athlete);
      if (report.changes >= run.next_kill) {
        run.next_kill += KILL_EVERY;
        await nodes.mortal.kill();
      }
    }
  };
  await Promise.all(Array.from({ length: LANES }, (_, nth) => lane(nth)));
}

function pickIdle(athletes: Athlete[], busy: Set<Athlete>, random: Random): Athlete {
  for (;;) {
    const athlete = athletes[random(athletes.length)];
    if (athlete && !busy.has(athlete)) return athlete;
  }
}

async function compare(run: Run, all: boolean): Promise<void> {
  const { report, nodes, random, athletes, database } = run;
  for (const index of nodes.indexes.values()) index.notifyChange();
  const boards = run.boardsUntil(run.timeOf(report.changes), run.centers);
  const some = Array.from({ length: COMPARED_BOARDS }, () => boards[random(boards.length)]).filter((one) => !!one);
  const options = { athletes, indexes: nodes.indexes, database, random };
  const found = await run.compareBoards(all ? boards : some, options);
  report.boards += found.boards;
  report.answers += found.answers;
  report.differences.push(...found.differences);
}

async function live(order: RanksOrder): Promise<RanksReport> {
  const started_at = performance.now();
  const run = await openRun(order);
  const { report } = run;
  try {
    while (report.changes < order.changes && report.differences.length === 0) {
      await changeUntil(run, Math.min(order.changes, report.changes + COMPARE_EVERY));
      await compare(run, false);
      if (report.changes % PROGRESS_EVERY === 0 && !order.arm) console.log(`   ${report.changes} changes`);
    }
    if (report.differences.length === 0) await compare(run, true);
  } finally {
    report.kills = run.nodes.mortal.kills();
    await run.close();
  }
  report.duration_s = (performance.now() - started_at) / 1000;
  return report;
}

const report = await live(JSON.parse(process.argv[2] ?? '{}') as RanksOrder);
sendReport({ ...report, differences: report.differences.slice(0, 3) });
