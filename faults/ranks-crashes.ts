import type { CrashesOrder, CrashesReport } from '../apps/api/test/rank-lives/live-crashes.ts';
import { type Figure, openFigureSheet } from '../tools/programs/figures.ts';
import { sized } from '../tools/programs/program-size.ts';
import { runForReport } from '../tools/programs/run-for-report.ts';

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
export async function run(): Promise<Figure[]> {
  const sheet = openFigureSheet();
  const blind = await live({ rounds: CONTROL_ROUNDS, slip: 'takes_every_life_for_one' });
  sheet.control('takes every life of the server for one', blind.differences.length > 0, tell(blind));
  const hasty = await live({ rounds: CONTROL_ROUNDS, slip: 'asks_for_the_start_alone' });
  const missed = hasty.differences.filter(({ death }) => death === 'a killed backend');
  sheet.control('asks for start and timeline alone', missed.length > 0, tell(hasty));
  const report = await live({ rounds: ROUNDS });
  sheet.add('boards after crashes', tell(report));
  const [difference] = report.differences;
  if (difference) throw new Error(difference.text);
  return sheet.figures;
}

function tell({ rounds, lost_ids, answers, differences }: CrashesReport): string {
  return `${rounds} crashes, ${lost_ids} ids given out twice, ${answers} answers, ${differences.length} wrong`;
}

function live(order: CrashesOrder): Promise<CrashesReport> {
  return runForReport(new URL('../apps/api/test/rank-lives/live-crashes.ts', import.meta.url), order);
}
