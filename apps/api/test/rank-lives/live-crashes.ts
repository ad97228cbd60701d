import { openDatabase } from '#api/database/database.ts';
import { openMortalPostgres, patiently } from '../database/mortal-postgres.ts';
import { OVERALL_BOARD } from '../rank-model.ts';
import { sendReport } from '../send-report.ts';
import { patchSources } from '../source-patches.ts';
import { RANK_PATCHES } from './rank-patches.ts';

export interface CrashesOrder {
  rounds: number;
  /** A rule to change in the code before it is loaded. */
  arm?: string;
}

export interface CrashesReport {
  rounds: number;
  /** Ids that the server gave out twice. */
  lost_ids: number;
  answers: number;
  /** By the way the server died. */
  differences: { death: string; text: string }[];
}

const SEED = 20_261_124;
const ATHLETES = 12;
const MAX_POINTS = 2_000;

/** The modules under test are loaded only now, so that patches can be applied to them first. */
async function openRun(name: string | undefined) {
  if (name !== undefined) patchSources(RANK_PATCHES[name] ?? []);
  const { createMemoryRanks } = await import('#api/modules/leaderboards/ranks/memory-ranks.ts');
  const { createRankIndex } = await import('#api/modules/leaderboards/ranks/rank-index.ts');
  const { DEATHS, loseIds, passLostIds } = await import('./lose-ids.ts');
  const { addAthlete, writeScore } = await import('../scenes/rank-rows.ts');
  const { randomOf } = await import('./world.ts');
  const postgres = await openMortalPostgres();
  const database = openDatabase(postgres.url);
  const log = { warn() {} };
  // No polling: nodes read only when notified, since an early read would hide what they miss later.
  const openNode = () => createRankIndex({ database, store: createMemoryRanks(), log, poll_ms: 3_600_000 });
  const indexes = new Map(['first node', 'second node'].map((name) => [name, openNode()]));
  const athletes: string[] = [];
  for (let nth = 0; nth < ATHLETES; nth++) athletes.push(await addAthlete(database));
  return {
    ...{ DEATHS, loseIds, passLostIds, writeScore, postgres, database, indexes, athletes },
    random: randomOf(SEED),
    async close() {
      for (const index of indexes.values()) await index.close();
      await database.destroy();
      await postgres.remove();
    },
  };
}

type Run = Awaited<ReturnType<typeof openRun>>;

async function changeSome({ athletes, database, random, writeScore }: Run, count: number): Promise<void> {
  for (let nth = 0; nth < count; nth++) {
    const athlete = athletes[random(athletes.length)] ?? '';
    const points = 1 + random(MAX_POINTS);
    await patiently(() => writeScore(database, athlete, points));
  }
}

/** Returns the board of the rows, sorted by the database. */
async function readRows({ database }: Run): Promise<string> {
  const { period, sport, sport_center_id } = OVERALL_BOARD;
  const rows = await database
    .selectFrom('board_scores')
    .select(['user_id', 'points'])
    .where('period', '=', period)
    .where('sport', '=', sport)
    .where('sport_center_id', '=', sport_center_id)
    .orderBy('points', 'desc')
    .orderBy('reached_at')
    .orderBy('user_id')
    .execute();
  return rows.map(({ user_id, points }) => `${user_id.slice(0, 4)} ${points}`).join(', ');
}

async function compare(run: Run, report: CrashesReport, death: string): Promise<void> {
  const expected = await patiently(() => readRows(run));
  for (const [node, index] of run.indexes) {
    index.notifyChange();
    const { rows } = await patiently(() => index.readPage(OVERALL_BOARD, 0, ATHLETES));
    const shown = rows.map(({ user_id, points }) => `${user_id.slice(0, 4)} ${points}`).join(', ');
    report.answers += 1;
    if (shown !== expected) report.differences.push({ death, text: `${node}, ${death}: ${shown} for ${expected}` });
  }
}

async function live({ rounds, arm: name }: CrashesOrder): Promise<CrashesReport> {
  const run = await openRun(name);
  const report: CrashesReport = { rounds: 0, lost_ids: 0, answers: 0, differences: [] };
  try {
    await changeSome(run, ATHLETES);
    await compare(run, report, 'no death');
    while (report.rounds < rounds) {
      const death = run.DEATHS[report.rounds % run.DEATHS.length] ?? 'a killed postmaster';
      report.rounds += 1;
      const change = () => changeSome(run, 1 + run.random(3));
      const lost = await run.loseIds({ ...run, indexes: run.indexes.values(), death, change });
      report.lost_ids += lost;
      await changeSome(run, 1 + run.random(4));
      // In one of four rounds a reader reads before new ids overtake its position.
      if (run.random(4) > 0) await run.passLostIds(run.database, lost);
      await compare(run, report, death);
    }
  } finally {
    await run.close();
  }
  return report;
}

const report = await live(JSON.parse(process.argv[2] ?? '{}') as CrashesOrder);
sendReport(report);
