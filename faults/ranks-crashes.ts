import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { CrashesOrder, CrashesReport } from '../apps/api/test/rank-lives/live-crashes.ts';
import { type Figure, openFigureSheet } from '../tools/figures.ts';
import { sized } from '../tools/program-size.ts';

/** A third of each kind. */
const ROUNDS = sized(30, 6);
const CONTROL_ROUNDS = 3;

/**
 * PostgreSQL dies again and again right after readers of the boards' log saw its newest ids: its postmaster is killed, one
 * backend is, or a standby that lagged is promoted in its place. It then gives ids out again, and changes below the readers'
 * positions come. Two nodes must show what the rows say. Control
 * arms: readers that do not ask whether the server is the one that they read from, and readers that ask for its start and
 * timeline alone, which stay the same where one backend is killed.
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

async function live(order: CrashesOrder): Promise<CrashesReport> {
  const program = new URL('../apps/api/test/rank-lives/live-crashes.ts', import.meta.url);
  const child = fork(fileURLToPath(program), [JSON.stringify(order)]);
  let report: CrashesReport | undefined;
  child.on('message', (message) => {
    report = message as CrashesReport;
  });
  await once(child, 'exit');
  if (!report) throw new Error('the crashes ended without a report');
  return report;
}
