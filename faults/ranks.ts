import type { CrashesOrder, CrashesReport } from '../apps/api/test/rank-lives/live-crashes.ts';
import type { RanksOrder, RanksReport } from '../apps/api/test/rank-lives/live-ranks.ts';
import { type Figure, type FigureSheet, openFigureSheet } from '../tools/programs/figures.ts';
import { sized } from '../tools/programs/program-size.ts';
import { runForReport } from '../tools/programs/run-for-report.ts';

/** Boards in memory against a recount: through many changes and kills of nodes, then through crashes of PostgreSQL. */
export async function run(): Promise<Figure[]> {
  const sheet = openFigureSheet();
  await liveThroughChanges(sheet);
  await liveThroughCrashes(sheet);
  return sheet.figures;
}

const CHANGES = sized(50_000, 3_000);
/** Enough for each control arm to be found. */
const CONTROL_CHANGES = 10_000;
const CONTROLS = ['reads_past_open_transactions', 'counts_six', 'final_weeks_move', 'shows_the_hidden'];

/**
 * 50,000 random validations, reversals, edits and hidings from October to April, over zones, both clock changes and
 * week 53: three nodes with the boards in memory, next to a process that is killed with SIGKILL, against a brute-force
 * recount. Control arm: the same with one rule changed, which the recount must find.
 */
async function liveThroughChanges(sheet: FigureSheet): Promise<void> {
  for (const arm of CONTROLS) {
    const { changes, differences } = await liveChanges({ changes: CONTROL_CHANGES, arm });
    const is_found = differences.length > 0;
    sheet.control(arm, is_found, `${is_found ? '' : 'not '}found in ${changes} changes`);
  }
  const { changes, boards, answers, kills, duration_s, differences } = await liveChanges({ changes: CHANGES });
  sheet.add(
    'as the recount says',
    `${changes} changes, ${kills} kills, ${boards} boards, ${answers} answers: ${differences.length} differences`,
    ` in ${duration_s.toFixed(0)} s`,
  );
  if (differences.length > 0) throw new Error(differences.join('\n'));
}

function liveChanges(order: RanksOrder): Promise<RanksReport> {
  return runForReport(new URL('../apps/api/test/rank-lives/live-ranks.ts', import.meta.url), order);
}

/** A third of the rounds for each kind of crash. */
const ROUNDS = sized(30, 6);
const CONTROL_ROUNDS = 3;

/**
 * PostgreSQL crashes repeatedly right after readers of the boards' log saw its newest ids: its postmaster or one
 * backend is killed, or a lagging standby is promoted in its place. It then reissues ids, so that changes arrive below
 * the readers' positions. Two nodes must show the boards of the rows. Control arms: readers that do not check whether
 * they still read from the same server, and readers that compare only its start and timeline, which stay the same if
 * one backend is killed.
 */
async function liveThroughCrashes(sheet: FigureSheet): Promise<void> {
  const blind = await liveCrashes({ rounds: CONTROL_ROUNDS, arm: 'takes_every_life_for_one' });
  sheet.control('takes every life of the server for one', blind.differences.length > 0, tell(blind));
  const hasty = await liveCrashes({ rounds: CONTROL_ROUNDS, arm: 'asks_for_the_start_alone' });
  const missed = hasty.differences.filter(({ death }) => death === 'a killed backend');
  sheet.control('asks for start and timeline alone', missed.length > 0, tell(hasty));
  const report = await liveCrashes({ rounds: ROUNDS });
  sheet.add('boards after crashes', tell(report));
  const [difference] = report.differences;
  if (difference) throw new Error(difference.text);
}

function tell({ rounds, lost_ids, answers, differences }: CrashesReport): string {
  return `${rounds} crashes, ${lost_ids} ids given out twice, ${answers} answers, ${differences.length} wrong`;
}

function liveCrashes(order: CrashesOrder): Promise<CrashesReport> {
  return runForReport(new URL('../apps/api/test/rank-lives/live-crashes.ts', import.meta.url), order);
}
