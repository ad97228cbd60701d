import { readFileSync } from 'node:fs';
import type { AttackOrder, AttackReport, Attempted } from '../apps/api/test/attacks/attack-all.ts';
import { isErrorCode } from '../packages/contract/src/wire/errors.ts';
import { type Figure, openFigureSheet } from '../tools/programs/figures.ts';
import { sized } from '../tools/programs/program-size.ts';
import { runForReport } from '../tools/programs/run-for-report.ts';

const HONEST_SCANS = sized(1000, 50);

/**
 * Every possible fault of a code, a clock, a right or an op, sent to the real app on the real PostgreSQL: each is
 * refused with its own code and text, or scored as the rules say, and 1,000 honest scans are all accepted. Control arm:
 * the same attacks against the app with its checks switched off, which must let them in.
 */
export async function run(): Promise<Figure[]> {
  const sheet = openFigureSheet();
  const report = await attackAll({ unchecked: false, honest: HONEST_SCANS });
  const wrong = report.attempted.filter(({ expected, result }) => result !== expected);
  for (const group of new Set(report.attempted.map((one) => one.group))) {
    const mine = report.attempted.filter((one) => one.group === group);
    console.log(
      `   ${group}: as the rules say ${mine.length - mine.filter((one) => wrong.includes(one)).length} of ${mine.length}`,
    );
  }
  for (const { name, expected, result } of wrong) console.log(`   ! ${name}: ${result}, expected ${expected}`);
  const silent = wordless(report.attempted);
  for (const code of silent) console.log(`   ! no words for ${code}`);
  const [accepted, scans] = report.honest.reduce(([a, b], [, ok, of]) => [a + ok, b + of], [0, 0]);
  for (const [kind, ok, of] of report.honest) console.log(`   honest, ${kind}: accepted ${ok} of ${of}`);
  for (const refusal of report.refusals.slice(0, 10)) console.log(`   ! honest ${refusal}`);
  sheet.add(
    'attacks answered as the rules say',
    `${report.attempted.length - wrong.length} of ${report.attempted.length}`,
  );
  sheet.add('honest scans accepted', `${accepted} of ${scans}, differences in the score ${report.differences}`);

  const unchecked = await attackAll({ unchecked: true, honest: 0 });
  // An attack that failed by itself was not let in either.
  const stopped = unchecked.attempted.filter(
    ({ has_no_switch, result, expected }) => !has_no_switch && (result === expected || result.startsWith('failed')),
  );
  const arms = unchecked.attempted.filter((one) => !one.has_no_switch);
  for (const { name, result } of stopped) console.log(`   ! control arm: ${name}: still ${result}`);
  if (wrong.length > 0 || silent.length > 0 || accepted < HONEST_SCANS || report.differences > 0) {
    throw new Error('an attack got through, or an honest scan did not');
  }
  sheet.control('without the checks', stopped.length === 0, `let in ${arms.length - stopped.length} of ${arms.length}`);
  return sheet.figures;
}

/** Returns the codes of refusals that lack a text in one of the languages. */
function wordless(attempted: Attempted[]): string[] {
  const texts = ['en', 'es'].map((language) => {
    const file = new URL(`../apps/web/src/shared/i18n/${language}/errors.json`, import.meta.url);
    return JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>;
  });
  const codes = new Set(attempted.map(({ expected }) => expected.split(', ').at(-1) ?? '').filter(isErrorCode));
  return [...codes].filter((code) => texts.some((text) => !text[code]));
}

function attackAll(order: AttackOrder): Promise<AttackReport> {
  return runForReport(new URL('../apps/api/test/attacks/attack-all.ts', import.meta.url), order);
}
