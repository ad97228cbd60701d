import type { RanksOrder, RanksReport } from '../apps/api/test/rank-lives/live-ranks.ts';
import { type Figure, openFigureSheet } from '../tools/programs/figures.ts';
import { sized } from '../tools/programs/program-size.ts';
import { runForReport } from '../tools/programs/run-for-report.ts';

const CHANGES = sized(50_000, 3_000);
/** Enough for each slip to show. */
const CONTROL_CHANGES = 10_000;
const CONTROLS = ['reads_past_open_transactions', 'counts_six', 'final_weeks_move', 'shows_the_hidden'];

/**
 * 50,000 random validations, reversals, edits and hidings from October to April, over zones, both clock changes and
 * week 53: three nodes with the boards in memory, next to a process that is killed with SIGKILL, against a brute-force
 * recount. Control arm: the same with one rule changed, which the recount must find.
 */
export async function run(): Promise<Figure[]> {
  const sheet = openFigureSheet();
  for (const slip of CONTROLS) {
    const { changes, differences } = await live({ changes: CONTROL_CHANGES, slip });
    const is_found = differences.length > 0;
    sheet.control(slip, is_found, `${is_found ? '' : 'not '}found in ${changes} changes`);
  }
  const { changes, boards, answers, kills, duration_s, differences } = await live({ changes: CHANGES });
  sheet.add(
    'as the recount says',
    `${changes} changes, ${kills} kills, ${boards} boards, ${answers} answers: ${differences.length} differences`,
    ` in ${duration_s.toFixed(0)} s`,
  );
  if (differences.length > 0) throw new Error(differences.join('\n'));
  return sheet.figures;
}

function live(order: RanksOrder): Promise<RanksReport> {
  return runForReport(new URL('../apps/api/test/rank-lives/live-ranks.ts', import.meta.url), order);
}
