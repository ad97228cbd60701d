import type { AttackReport } from '../apps/api/test/inner-addresses/attack.ts';
import { CHECKS_OFF } from '../apps/api/test/inner-addresses/checks-off.ts';
import type { SsrfOrder } from '../apps/api/test/inner-addresses/run-ssrf.ts';
import { type Figure, openFigureSheet } from '../tools/programs/figures.ts';
import { sized } from '../tools/programs/program-size.ts';
import { runForReport } from '../tools/programs/run-for-report.ts';

/**
 * Leads the server to addresses inside, by every address that others can name: endpoints of pushes, web sites of
 * centers, and the hosts of the settings (tiles, Overpass, issuer, ACME, the own address) by redirects, by what their
 * documents name and by names that change between look-ups. No connection may be made to an address inside, and each
 * refusal is the right one. Control arms: one check each taken out of the code.
 */
export async function run(): Promise<Figure[]> {
  const sheet = openFigureSheet();
  const { attacks, honest, reached, problems } = await play({ is_unchecked: false, every: sized(1, 10) });
  for (const problem of problems.slice(0, 100)) console.log(`   ! ${problem}`);
  sheet.add('attacks with a wrong answer', `${problems.length} of ${attacks}`, `, and ${honest} honest calls answered`);
  sheet.add('connections to addresses inside', String(reached));
  if (problems.length > 0) throw new Error('an attack reached an address inside, or was answered otherwise');

  const unchecked = await play({ is_unchecked: true, every: 1 });
  for (const [name, { finding }] of Object.entries(CHECKS_OFF)) {
    const found = unchecked.problems.find((problem) => finding.test(problem));
    sheet.control(`without ${name}`, found !== undefined, found?.slice(0, 80) ?? 'not noticed');
  }
  return sheet.figures;
}

function play(order: SsrfOrder): Promise<AttackReport> {
  return runForReport(new URL('../apps/api/test/inner-addresses/run-ssrf.ts', import.meta.url), order);
}
