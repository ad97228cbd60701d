import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { PICTURES, SIGHTS_FILE, type Sight } from '../e2e/browser/sights.ts';
import type { EveryState } from '../e2e/measured/every-state.ts';
import type { PlantedLooks } from '../e2e/measured/planted-looks.ts';
import { type Figure, openFigureSheet } from '../tools/programs/figures.ts';
import { measureInBrowser } from '../tools/programs/measure-in-browser.ts';
import { ROOT, run as runProgram } from '../tools/project/project.ts';

/** The journeys that look at screens: those that import `look` or `lookAtScreen`. */
const JOURNEYS = readdirSync(join(ROOT, 'e2e'))
  .filter((name) => name.endsWith('.spec.ts'))
  .filter((name) =>
    /\blook(AtScreen)?\b[^;]+\.\/screens\/look\.ts/.test(readFileSync(join(ROOT, 'e2e', name), 'utf8')),
  );
const FEW_JOURNEYS = ['tour'];
const FEW_SCREENS = ['history', 'scan', 'reviews'];
const THOROUGH = { SCREENS: 'all' };

/**
 * Looks at every screen and sheet of the journeys in both languages: at 320, 390, 820 and 1280 px, at a zoom of 400 % and
 * with text of 200 %, nothing is wider than the window, no text is cut, broken into letters or lies on another, and no
 * control lies under another part; no screen jumps while it loads, cold or warm; axe finds no barrier in either theme; no
 * page writes an error to its console. Then each screen that loads, fails, is offline or is refused: each of these states
 * must be seen. Then the screens of operators and managers, with what they list. Leaves a picture of each sight. Control
 * arm: pages with a flaw each, all of which must be found, and a page without an error, which must not be said to have one.
 */
export async function run({ small = false }: { small?: boolean }): Promise<Figure[]> {
  const sheet = openFigureSheet();
  const planted = await measureInBrowser<PlantedLooks>('e2e/measured/planted-looks.ts', 'PLANTED-LOOKS ');
  for (const [name, found] of Object.entries(planted)) {
    if (name !== 'no flaw') sheet.control(name, found.length > 0, found.join('; ') || 'not seen');
    else if (found.length > 0) throw new Error(`a page without a flaw has ${found.join('; ')}`);
  }
  const sights_file = join(ROOT, SIGHTS_FILE);
  rmSync(sights_file, { force: true });
  // Without the rerun of a failed journey: its flaws are already listed.
  const args = ['tools/test.ts', 'e2e', ...(small ? FEW_JOURNEYS : JOURNEYS), '--retries=0'];
  const code = await runProgram(process.execPath, args, THOROUGH);
  const states = await measureInBrowser<EveryState>('e2e/measured/every-state.ts', 'EVERY-STATE ', {
    args: small ? FEW_SCREENS : [],
    env: THOROUGH,
  });
  sheet.control('a page without an error', states.is_absence_seen, 'no error was seen');
  sheet.add('screens seen loading, failing, offline and refused, in both languages', `${states.seen}`);
  sheet.add('screens of operators and managers seen with what they list, in both languages', `${states.staff_seen}`);
  sheet.add('sheets and open forms seen, in both languages', `${states.opened}`);
  const sights = readSights(sights_file);
  const flawed = sights.filter(({ problems }) => problems.length > 0);
  for (const { name, problems } of flawed) console.log(`   ${name}: ${problems.join('; ')}`);
  sheet.add(
    'sights without a flaw',
    `${sights.length - flawed.length} of ${sights.length}`,
    `, pictures in ${PICTURES}`,
  );
  if (sights.length === 0) throw new Error('no journey has looked at anything');
  if (flawed.length > 0) throw new Error(`${flawed.length} sights have a flaw`);
  if (code !== 0) throw new Error('a journey failed');
  return sheet.figures;
}

function readSights(path: string): Sight[] {
  if (!existsSync(path)) return [];
  const lines = readFileSync(path, 'utf8').trim().split('\n');
  return lines.map((line) => JSON.parse(line) as Sight);
}
