import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, readFileSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { openScratch } from '../apps/api/test/measured/scratch.ts';
import {
  drawPosition,
  type RealCenter,
  readRealCenters,
  seedRandom,
} from '../apps/api/test/measured/synthetic-centers.ts';
import { SPORTS, type Sport } from '../packages/domain/src/sports.ts';
import { type Figure, type FigureSheet, openFigureSheet } from '../tools/programs/figures.ts';
import { sized } from '../tools/programs/program-size.ts';
import { toMib } from './load/print.ts';

const CLI = fileURLToPath(new URL('../apps/api/src/cli/main.ts', import.meta.url));
/** The flags of Node with which `npm run sendlap` runs the command. */
const NODE_FLAGS = readScript('sendlap').match(/--\S+/g) ?? [];
const SEED = 20_261_121;
const LOOK_MS = 50;
const CHUNK = 1 << 20;

type Form = 'document' | 'sequence';

/** Typical imports of operators, in MB; the last document is nearly as large as one may be. */
const FILES: { what: string; form: Form; megabytes: number; most_memory_mb?: number }[] = [
  { what: "a country's extract", form: 'document', megabytes: sized(20, 5), most_memory_mb: 300 },
  { what: 'the largest document', form: 'document', megabytes: sized(195, 10) },
  { what: 'a text sequence', form: 'sequence', megabytes: sized(300, 10) },
];

function readScript(name: string): string {
  const { scripts } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
    scripts: Record<string, string>;
  };
  return scripts[name] ?? '';
}

/** GeoJSON files, as exports of OpenStreetMap, through `sendlap centers import`, each into an empty database. */
export async function run(): Promise<Figure[]> {
  const sheet = openFigureSheet();
  for (const file of FILES) {
    const scratch = openScratch();
    try {
      const path = join(scratch.folder, 'centers.geojson');
      const features = await writeGeojson(path, file.form, file.megabytes, readRealCenters());
      const bytes = (await stat(path)).size;
      console.log(`${file.what}: ${features.toLocaleString('en')} features, ${(bytes / 1e6).toFixed(0)} MB`);
      const first = await importFile(path, scratch.folder);
      printImport(sheet, `${file.what} into an empty database`, first, bytes);
      const again = await importFile(path, scratch.folder);
      printImport(sheet, `${file.what} again, nothing to change`, again, bytes);
      const peak = Math.max(first.peak_bytes, again.peak_bytes);
      if (peak === 0) console.log('how much memory it took is not told on this system');
      else if (file.most_memory_mb !== undefined) {
        sheet.goal(`most memory for ${file.what}`, toMib(peak), { at_most: file.most_memory_mb }, ' MB');
      }
    } finally {
      await scratch.remove();
    }
  }
  return sheet.figures;
}

/** The other entries of an export, by the reason why the import refuses them. */
const REFUSED: readonly Record<string, string>[] = [
  { natural: 'cliff', sport: 'climbing', 'climbing:routes': '34' },
  { leisure: 'swimming_pool', access: 'private' },
  { leisure: 'pitch', sport: 'climbing', name: 'Boulder' },
  { highway: 'via_ferrata', name: 'Klettersteig', sport: 'climbing' },
  { shop: 'sports', sport: 'climbing', name: 'Bergsport' },
  { leisure: 'pitch', sport: 'soccer', name: 'Campo' },
];

/**
 * Four in ten entries are centers, half of these as outlines of buildings; the others are refused. Returns the number
 * of centers.
 */
async function writeGeojson(path: string, form: Form, megabytes: number, real: readonly RealCenter[]): Promise<number> {
  const stream = createWriteStream(path);
  const random = seedRandom(SEED);
  const [start, separator, end] =
    form === 'document' ? ['{"type":"FeatureCollection","features":[\n', ',\n', '\n]}\n'] : ['', '\n', '\n'];
  let text = start;
  let written = 0;
  let features = 0;
  while (written + text.length < megabytes * 1e6) {
    text += (features === 0 ? '' : separator) + JSON.stringify(drawFeature(random, real, features));
    features += 1;
    if (text.length < CHUNK) continue;
    written += text.length;
    if (!stream.write(text)) await once(stream, 'drain');
    text = '';
  }
  stream.end(`${text}${end}`);
  await finished(stream);
  return features;
}

function drawFeature(random: () => number, real: readonly RealCenter[], number: number): object {
  const { longitude, latitude, model: at } = drawPosition(random, real);
  const center = real[at];
  const isCenter = number % 5 < 2;
  const way = number % 2 === 0;
  const note = 'surveyed on the spot, opening hours and prices are on the page of the house. '.repeat(2 + (number % 5));
  const tags = isCenter
    ? { name: `${center?.name} ${number}`, ...tagsOf(center) }
    : { ...REFUSED[number % REFUSED.length] };
  const id = `${way ? 'way' : 'node'}/${number + 1}`;
  const properties = {
    '@id': id,
    ...tags,
    'addr:street': center?.address ?? undefined,
    'addr:city': center?.city ?? undefined,
    description: note,
  };
  return { type: 'Feature', id, properties, geometry: way ? outline(longitude, latitude) : point(longitude, latitude) };
}

const SPORT_TAGS: Record<Sport, Record<string, string>> = {
  climbing: { sport: 'climbing', 'climbing:indoor': 'yes' },
  swimming: { sport: 'swimming', access: 'yes' },
};

function tagsOf(center: RealCenter | undefined): Record<string, string> {
  return {
    leisure: 'sports_centre',
    ...SPORT_TAGS[SPORTS.find((sport) => center?.sports.includes(sport)) ?? 'swimming'],
  };
}

function point(longitude: number, latitude: number): object {
  return { type: 'Point', coordinates: [longitude, latitude] };
}

const CORNERS = 24;
const OUTLINE_DEGREES = 0.0003;

function outline(longitude: number, latitude: number): object {
  const ring = Array.from({ length: CORNERS + 1 }, (_, corner) => {
    const angle = (2 * Math.PI * (corner % CORNERS)) / CORNERS;
    return [longitude + OUTLINE_DEGREES * Math.cos(angle), latitude + OUTLINE_DEGREES * Math.sin(angle)];
  });
  return { type: 'Polygon', coordinates: [ring] };
}

interface Imported {
  duration_s: number;
  /** Peak resident memory of the command; 0 where the system does not report it. */
  peak_bytes: number;
  read: number;
  imported: number;
  unchanged: number;
  refused_count: number;
}

/** Runs the real command, which starts the embedded PostgreSQL of the data folder itself. */
async function importFile(path: string, folder: string): Promise<Imported> {
  const { DATABASE_URL: _, ...env } = process.env;
  const child = spawn(process.execPath, [...NODE_FLAGS, CLI, 'centers', 'import', path, '--json'], {
    env: { ...env, DATA_DIR: join(folder, 'data') },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const started_at = performance.now();
  let peak_bytes = 0;
  const look = setInterval(() => {
    peak_bytes = Math.max(peak_bytes, readPeak(child.pid));
  }, LOOK_MS);
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  const [code] = (await once(child, 'close')) as [number | null];
  clearInterval(look);
  if (code !== 0) throw new Error(`the import ended with ${code}: ${output.slice(0, 500)}`);
  const report = JSON.parse(output) as Omit<Imported, 'duration_s' | 'peak_bytes'>;
  return { ...report, peak_bytes, duration_s: (performance.now() - started_at) / 1000 };
}

function readPeak(pid: number | undefined): number {
  try {
    const [, peak_kb = '0'] = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    return Number(peak_kb) * 1024;
  } catch {
    return 0;
  }
}

function printImport(sheet: FigureSheet, what: string, { duration_s, ...report }: Imported, bytes: number): void {
  const { read, imported, unchanged, refused_count } = report;
  sheet.add(
    what,
    `${duration_s.toFixed(1)} s, ${(bytes / 1e6 / duration_s).toFixed(1)} MB/s`,
    `, at most ${toMib(report.peak_bytes).toFixed(0)} MB resident; read ${read}, imported ${imported}, ` +
      `unchanged ${unchanged}, refused ${refused_count}`,
  );
}
