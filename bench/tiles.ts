import { createTileService } from '../apps/api/src/modules/tiles/service.ts';
import { MAX_TILE_ZOOM, project, type TileAddress } from '../apps/api/src/modules/tiles/tile-address.ts';
import { buildWorldIndex } from '../apps/api/src/modules/tiles/world-index.ts';
import { drawPosition, readRealCenters, seedRandom } from '../apps/api/test/measured/synthetic-centers.ts';
import { type Figure, type FigureSheet, openFigureSheet } from '../tools/figures.ts';
import { sized } from '../tools/program-size.ts';
import { median, quantile } from './load/print.ts';

const SEED = 20_261_121;
/** Positions around real centers; each gives a tile of every zoom, as a map that is zoomed in on it. */
const POSITIONS = sized(1500, 100);
const WARM_UP_POSITIONS = 100;
const ROUNDS = 3;
const CUT_GOAL_MS = 2;
const SIZE_GOAL_KB = 30;

/** Tiles of the world around real centers: the cut alone, then through the service, for the first time and again. */
export async function run(): Promise<Figure[]> {
  const sheet = openFigureSheet();
  const addresses = drawAddresses(POSITIONS, SEED);
  warmUp();
  measureCuts(sheet, addresses);
  await measureService(sheet, addresses);
  return sheet.figures;
}

/** Compiles the code, on an index of its own, so that none of the tiles that are measured is half made. */
function warmUp(): void {
  const world = buildWorldIndex();
  for (const address of drawAddresses(WARM_UP_POSITIONS, SEED + 1)) world.cut(address);
}

/** All different, in the order in which they are asked for. */
function drawAddresses(positions: number, seed: number): TileAddress[] {
  const real = readRealCenters();
  const random = seedRandom(seed);
  const addresses = new Map<string, TileAddress>();
  for (let position = 0; position < positions; position += 1) {
    const { longitude, latitude } = drawPosition(random, real);
    const at = project(longitude, latitude);
    for (let z = 0; z <= MAX_TILE_ZOOM; z += 1) {
      const address = { z, x: Math.floor(at.x * 2 ** z), y: Math.floor(at.y * 2 ** z) };
      addresses.set(`${z}/${address.x}/${address.y}`, address);
    }
  }
  return [...addresses.values()];
}

interface Cut extends TileAddress {
  cut_ms: number;
  bytes: number;
}

/**
 * Each tile is cut for the first time out of several indexes, and its shortest time counts: in the others the machine
 * may have done something else.
 */
function measureCuts(sheet: FigureSheet, addresses: readonly TileAddress[]): void {
  const rounds = Array.from({ length: ROUNDS }, () => cutAll(addresses));
  const cuts = addresses.map((address, at): Cut => {
    const own = rounds.flatMap((round) => round[at] ?? []);
    return { ...address, bytes: own[0]?.bytes ?? 0, cut_ms: Math.min(...own.map(({ cut_ms }) => cut_ms)) };
  });
  console.log('zoom  tiles  cut p50 ms  longest ms  largest KB');
  for (let zoom = 0; zoom <= MAX_TILE_ZOOM; zoom += 1) {
    const own = cuts.filter(({ z }) => z === zoom);
    const times = own.map(({ cut_ms }) => cut_ms);
    const cells = [String(own.length), median(times).toFixed(2), Math.max(...times).toFixed(2)];
    const largest_kb = Math.max(...own.map(({ bytes }) => bytes)) / 1000;
    console.log(
      `${zoom}     ${cells.map((cell) => cell.padStart(8)).join('  ')}  ${largest_kb.toFixed(1).padStart(8)}`,
    );
  }
  const times = cuts.map(({ cut_ms }) => cut_ms);
  sheet.goal('cut of a tile, p50', median(times), { at_most: CUT_GOAL_MS }, ' ms');
  sheet.goal('cut of a tile, p99', quantile(times, 0.99), { at_most: CUT_GOAL_MS }, ' ms');
  const [largest] = cuts.sort((a, b) => b.bytes - a.bytes);
  if (!largest) throw new Error('no tile was cut');
  const { z, x, y, bytes } = largest;
  sheet.goal(`largest tile (${z}/${x}/${y})`, bytes / 1000, { at_most: SIZE_GOAL_KB }, ' KB');
}

function cutAll(addresses: readonly TileAddress[]): Pick<Cut, 'cut_ms' | 'bytes'>[] {
  const started_at = performance.now();
  const world = buildWorldIndex();
  // As the tile process does before anybody looks at a map.
  for (const _tile of world.prepare());
  console.log(`${addresses.length} tiles; the world read in ${((performance.now() - started_at) / 1000).toFixed(2)} s`);
  return addresses.map((address) => {
    const cut_at = performance.now();
    const { byteLength: bytes } = world.cut(address);
    return { bytes, cut_ms: performance.now() - cut_at };
  });
}

/** As a request gets them: cut in the process for it, then out of the cache. */
async function measureService(sheet: FigureSheet, addresses: readonly TileAddress[]): Promise<void> {
  const service = createTileService();
  // The service alone keeps no process alive.
  const hold = setInterval(() => {}, 1000);
  try {
    await service.getTile({ z: 0, x: 0, y: 0 });
    const rest = addresses.filter(({ z }) => z > 0);
    const timeEach = async (): Promise<number[]> => {
      const times: number[] = [];
      for (const address of rest) {
        const started_at = performance.now();
        await service.getTile(address);
        times.push((performance.now() - started_at) * 1000);
      }
      return times;
    };
    const [first, again] = [await timeEach(), await timeEach()];
    const [first_us, again_us] = [median(first), median(again)];
    sheet.add(
      'from the service, the first time and again',
      `p50 ${first_us.toFixed(0)} and ${again_us.toFixed(1)} µs`,
      `; p99 ${quantile(first, 0.99).toFixed(0)} and ${quantile(again, 0.99).toFixed(0)} µs`,
    );
  } finally {
    clearInterval(hold);
    await service.close();
  }
}
