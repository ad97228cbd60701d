import type { LivesOrder, LivesReport } from '../apps/api/test/lives/live-many.ts';
import { type Figure, openFigureSheet } from '../tools/programs/figures.ts';
import { sized } from '../tools/programs/program-size.ts';
import { runForReport } from '../tools/programs/run-for-report.ts';

const LIVES = sized(50_000, 300);
/** Lives of each control arm, whose patch they must find; each arm runs in a process of its own. */
const CONTROL_LIVES = 2_000;
const CONTROLS = [
  'recorded_again',
  'no_reversal',
  'order_of_arrival',
  'proof_outlives_edit',
  'friends_on_boards',
  'weeks_kept',
];

/**
 * 50,000 random lives of athletes, referees and a kiosk over HTTP against a simple model: outcomes, states, points,
 * ledger and boards must be equal. Control arm: the same lives against the code with one rule changed, which they must
 * find.
 */
export async function run(): Promise<Figure[]> {
  const sheet = openFigureSheet();
  for (const arm of CONTROLS) {
    const { lives, difference } = await live({ lives: CONTROL_LIVES, arm });
    sheet.control(arm, difference !== undefined, `${difference === undefined ? 'not ' : ''}found in ${lives} lives`);
  }
  const report = await live({ lives: LIVES });
  const rate = (report.lives / report.duration_s).toFixed(0);
  sheet.add('as the model says', `${report.lives} lives, ${report.steps} steps, ${rate} lives/s`);
  for (const [outcome, count] of report.outcomes) console.log(`  ${String(count).padStart(8)}  ${outcome}`);
  if (report.difference !== undefined) throw new Error(report.difference);
  return sheet.figures;
}

function live(order: LivesOrder): Promise<LivesReport> {
  return runForReport(new URL('../apps/api/test/lives/live-many.ts', import.meta.url), order);
}
