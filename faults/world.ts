import { SIGHTS } from '../apps/web/test/world/sights.ts';
import { playWorld, SLIPS, type Slip } from '../apps/web/test/world/world.ts';
import { createRandom } from '../e2e/offline/random.ts';
import { type Figure, openFigureSheet } from '../tools/programs/figures.ts';
import { sized } from '../tools/programs/program-size.ts';

const WORLDS = sized(50_000, 300);
const CONTROL_WORLDS = 1_000;

/**
 * 50,000 worlds in one process, each from its seed: the app's own outbox on a phone that two users share, against a model
 * of the server, with lost, cut and doubled requests, portals and crashes. Once it is calm, each saved op has acted once,
 * for its own user. Control arm: the same worlds with one protection removed.
 */
export async function run(): Promise<Figure[]> {
  const sheet = openFigureSheet();
  for (const slip of SLIPS) {
    const found = await findDamage(slip);
    sheet.control(slip, found !== null, found === null ? 'not found' : `found in world ${found}`);
  }
  const started = performance.now();
  const counts = new Map(SIGHTS.map((sight) => [sight, 0]));
  for (let seed = 1; seed <= WORLDS; seed += 1) {
    const { damage, sights } = await playWorld(createRandom(seed));
    if (damage.length > 0) throw new Error(`world ${seed}: ${damage.join('; ')}`);
    for (const sight of sights) counts.set(sight, (counts.get(sight) ?? 0) + 1);
  }
  const rate = (WORLDS / ((performance.now() - started) / 60_000)).toFixed(0);
  sheet.add('worlds without damage', `${WORLDS}, ${rate} a minute`);
  for (const [sight, count] of counts) {
    if (count === 0) throw new Error(`no world had this: ${sight}`);
    console.log(`  ${String(count).padStart(8)}  ${sight}`);
  }
  return sheet.figures;
}

async function findDamage(slip: Slip): Promise<number | null> {
  for (let seed = 1; seed <= CONTROL_WORLDS; seed += 1) {
    if ((await playWorld(createRandom(seed), slip)).damage.length > 0) return seed;
  }
  return null;
}
