import { CHECKS_OFF } from '../apps/api/test/matrix/checks-off.ts';
import type { Cell } from '../apps/api/test/matrix/play.ts';
import type { MatrixOrder, MatrixReport } from '../apps/api/test/matrix/run-matrix.ts';
import { type Figure, openFigureSheet } from '../tools/programs/figures.ts';
import { sized } from '../tools/programs/program-size.ts';
import { runForReport } from '../tools/programs/run-for-report.ts';

/** Texts that these callers may read, and must have read: otherwise the search for leaks would find none. */
const MUST_BE_SEEN = [
  'friend: friend text',
  'participant: participant text',
  'operator: owner email',
  'referee: owner appeal',
  'owner: owner latitude',
  'owner: owner weight',
];

/**
 * Every operation of the server, on things of the caller, of Ada and that do not exist, by every kind of caller. The answer of
 * each cell follows from a small table of rules (`rules.ts`); a refusal and a read change nothing, and no reply shows a
 * text that its caller may not read. A change of a caller's own things changes none of Ada's. An operation without a row
 * fails the program, and so does one that some kind of caller never calls, or a change that no cell expects to succeed.
 * Control arms: one check each taken out of the code.
 */
export async function run(): Promise<Figure[]> {
  const sheet = openFigureSheet();
  const is_small = sized(false, true);
  const { played, wrong, seen, ...report } = await play({ is_unchecked: false, is_small });
  for (const cell of wrong.slice(0, 100)) console.log(`   ! ${describe(cell)}`);
  for (const gap of report.gaps) console.log(`   ! ${gap}`);
  const unseen = is_small ? [] : MUST_BE_SEEN.filter((sight) => !seen.includes(sight));
  for (const sight of unseen) console.log(`   ! never read by ${sight}`);
  const detail = `: ${report.operations} operations, ${report.callers} callers`;
  sheet.add('wrong cells', `${wrong.length} of ${played}`, detail);
  if (wrong.length + report.gaps.length + unseen.length > 0) throw new Error('the server and the rules differ');

  const unchecked = await play({ is_unchecked: true, is_small: true });
  for (const [name, { operation, caller, finding }] of Object.entries(CHECKS_OFF)) {
    const wrong = unchecked.wrong
      .filter((cell) => cell.operation === operation && cell.caller === caller)
      .flatMap((cell) => cell.wrong);
    const found = wrong.find((word) => finding.test(word));
    sheet.control(
      `without ${name}`,
      found !== undefined,
      (found ?? `not noticed, but ${wrong.join('; ')}`).slice(0, 60),
    );
  }
  return sheet.figures;
}

function describe({ operation, on, caller, expected, wrong }: Cell): string {
  return `${operation} on ${on}, ${caller}: expected ${expected}, ${wrong.join('; ')}`;
}

function play(order: MatrixOrder): Promise<MatrixReport> {
  return runForReport(new URL('../apps/api/test/matrix/run-matrix.ts', import.meta.url), order);
}
