import { MISTAKE_NAMES, MISTAKES, type Mistake } from '../apps/web/test/world/base/mistakes.ts';
import { SIGHTS, type Sight } from '../apps/web/test/world/base/sights.ts';
import { KEPT_SEEDS } from '../apps/web/test/world/kept-seeds.ts';
import { playWorld } from '../apps/web/test/world/world.ts';
import { createRandom } from '../e2e/offline/random.ts';
import { type Figure, type FigureSheet, openFigureSheet } from '../tools/programs/figures.ts';
import { sized } from '../tools/programs/program-size.ts';

const WORLDS = sized(50_000, 300);
const CONTROL_WORLDS = 1_000;
const MIN_WORLDS_A_MINUTE = 1_000;

/**
 * 50,000 worlds in one process, each from its seed: the app's own outbox, request layer and session on a phone that two
 * users share, often also on a second phone of one of them and on a referee's, and the app's own kiosk on a tablet,
 * against a model of the server. Requests are lost, late, cut and doubled, or answered by a portal; a crash takes back
 * what the browser had not written; clocks are set, disks are full, a phone has two tabs, and while the app is closed its
 * service worker sends. Each code that the kiosk shows is good. Once it is calm, each saved op has acted once, for its
 * own user and at its own time, confirmed activities have their points, the kiosk shows the board of them, and no one was
 * signed out. Control arm: the same worlds with one protection removed. `--seed 17,18` plays these worlds alone.
 */
export async function run(_flags: object, { seed }: { seed?: string }): Promise<Figure[]> {
  const sheet = openFigureSheet();
  if (seed !== undefined) {
    for (const one of seed.split(',').map(Number)) await showWorld(one);
    return sheet.figures;
  }
  for (const mistake of MISTAKE_NAMES) {
    const found = await findDamage(mistake, CONTROL_WORLDS);
    sheet.control(mistake, found !== null, found === null ? 'not found' : `found in world ${found}`);
  }
  await playAll(sheet);
  return sheet.figures;
}

async function showWorld(seed: number): Promise<void> {
  const { damage, sights } = await playWorld(createRandom(seed));
  console.log(`world ${seed}: ${damage.join('; ') || 'no damage'}`);
  console.log(`  seen: ${[...sights].join(', ')}`);
}

/** Returns the first world with the damage of this mistake. */
async function findDamage(mistake: Mistake, limit: number): Promise<number | null> {
  for (let seed = 1; seed <= limit; seed += 1) {
    const { damage } = await playWorld(createRandom(seed), { mistake });
    if (damage.some((one) => MISTAKES[mistake].damage.test(one))) return seed;
  }
  return null;
}

async function playAll(sheet: FigureSheet): Promise<void> {
  const counts = new Map<Sight, number>(SIGHTS.map((sight) => [sight, 0]));
  const damaged: string[] = [];
  const seeds = new Set([...KEPT_SEEDS, ...Array.from({ length: WORLDS }, (_, index) => index + 1)]);
  const before = process.cpuUsage();
  for (const seed of seeds) {
    const { damage, sights } = await playWorld(createRandom(seed));
    if (damage.length > 0) {
      console.log(`world ${seed}: ${damage.join('; ')}`);
      damaged.push(String(seed));
    }
    for (const sight of sights) counts.set(sight, (counts.get(sight) ?? 0) + 1);
  }
  const { user, system } = process.cpuUsage(before);
  for (const [sight, count] of counts) console.log(`  ${String(count).padStart(8)}  ${sight}`);
  // Of the time of a core: another process may use the machine.
  sheet.goal('worlds a minute', seeds.size / ((user + system) / 60_000_000), { at_least: MIN_WORLDS_A_MINUTE });
  sheet.add('worlds with damage', `${damaged.length} of ${seeds.size}`);
  if (damaged.length > 0) throw new Error(`damage; to see it again: npm run faults -- world --seed ${damaged}`);
  const unseen = SIGHTS.filter((sight) => counts.get(sight) === 0);
  if (unseen.length > 0) throw new Error(`no world had this: ${unseen.join(', ')}`);
}
