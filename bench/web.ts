import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FirstVisit } from '../e2e/measured/first-visit.ts';
import { type Figure, type FigureSheet, openFigureSheet } from '../tools/programs/figures.ts';
import { measureInBrowser } from '../tools/programs/measure-in-browser.ts';
import { measurePages } from '../tools/programs/page-figures.ts';
import { sized } from '../tools/programs/program-size.ts';
import {
  buildWeb,
  changeSources,
  listUpdate,
  mapSources,
  sumSizes,
  type WebBuild,
} from '../tools/programs/web-build.ts';
import { median } from './load/print.ts';

const PRECACHE_KB = 1000;
const REQUESTS = 60;
const UPDATE_KB = 40;
const WORKER_KB = 12;
const SENDER_KB = 25;
const HEAVIEST = 25;
const PAINT_RATIO = 1.3;
const OWN_DATA_MS = 1_000;

/** A text in each language, and a line of a screen that is loaded when it is opened. */
const CHANGES = {
  '/i18n/en/history.json': changeFirstText,
  '/i18n/es/history.json': changeFirstText,
  '/history/HistoryPage.tsx': (source: string) => `${source}\nperformance.mark('changed');\n`,
};

/** Starts of a closed browser without a network, four times as slow, in ms since the navigation. */
interface ColdStarts {
  paint_ms: number[];
  content_ms: number[];
  own_data_ms: number[];
  /** The smallest React page that opens without a network. */
  bare_paint_ms: number[];
}

/**
 * What the app weighs on the network: the files that the worker precaches, what a first visit and a return load, and
 * the download of an update that changes three strings. Its cold start without a network, its screens on Lighthouse's
 * phone, both beside the smallest React page, and the taps of the main job. Control arms: the update is found, and none
 * between two builds of the same source; a planted long task, jump and slow tap are found.
 */
export async function run(): Promise<Figure[]> {
  const sheet = openFigureSheet();
  const folder = await mkdtemp(join(tmpdir(), 'sendlap-bench-web-'));
  try {
    const build = await buildWeb(join(folder, 'app'), [mapSources]);
    weighPrecache(sheet, build);
    await countFirstVisit(sheet);
    await startCold(sheet);
    await measurePages(sheet, join(folder, 'app'));
    // In a trial without the update, which takes two more builds.
    if (sized(true, false)) await weighUpdate(sheet, folder, build);
    return sheet.figures;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function countFirstVisit(sheet: FigureSheet): Promise<void> {
  const first = await measureInBrowser<FirstVisit>('e2e/measured/first-visit.ts', 'FIRST-VISIT ');
  const { visitor, athlete, athlete_return } = first;
  sheet.goal('requests of a first visit', visitor.paths.length, { at_most: REQUESTS });
  sheet.add('bytes of a first visit', `${(visitor.bytes / 1000).toFixed(0)} KB`);
  sheet.add('requests of a first visit that ends at Home', String(athlete.paths.length), countCalls(athlete.paths));
  sheet.add('requests of a return to Home', String(athlete_return.paths.length), countCalls(athlete_return.paths));
  sheet.add('bytes of a return to Home', `${(athlete_return.bytes / 1000).toFixed(1)} KB`);
}

async function startCold(sheet: FigureSheet): Promise<void> {
  const cold = await measureInBrowser<ColdStarts>('e2e/measured/cold-start.ts', 'COLD-STARTS ');
  const [paint_ms, bare_ms] = [median(cold.paint_ms), median(cold.bare_paint_ms)];
  sheet.goal('cold start offline: first paint / bare page', paint_ms / bare_ms, { at_most: PAINT_RATIO });
  sheet.add('  first paint', `${paint_ms.toFixed(0)} ms`, ` (bare page ${bare_ms.toFixed(0)} ms)`);
  sheet.add('  first text or picture', `${median(cold.content_ms).toFixed(0)} ms`);
  sheet.goal('cold start offline: own data', median(cold.own_data_ms), { at_most: OWN_DATA_MS }, ' ms');
}

async function weighUpdate(sheet: FigureSheet, folder: string, build: WebBuild): Promise<void> {
  const update = await buildWeb(join(folder, 'update'), [changeSources(CHANGES)]);
  const changed = listUpdate(build, update);
  sheet.goal('update of three strings', kb(update, changed), { at_most: UPDATE_KB }, ' KB');
  for (const file of changed) console.log(`     ${kb(update, [file]).toFixed(1).padStart(6)} KB  ${file}`);
  const unchanged = listUpdate(build, await buildWeb(join(folder, 'same')));
  const is_found = changed.length > Object.keys(CHANGES).length && unchanged.length === 0;
  sheet.control('changed and unchanged source', is_found, `${changed.length} and ${unchanged.length} files`);
}

function weighPrecache(sheet: FigureSheet, build: WebBuild): void {
  const { files, code_reader, sender } = build;
  const heaviest = [...files, ...code_reader].sort((a, b) => kb(build, [b]) - kb(build, [a])).slice(0, HEAVIEST);
  for (const file of heaviest)
    console.log(`     ${kb(build, [file]).toFixed(1).padStart(6)} KB  ${file}  ${build.largestOrigins(file)}`);
  const { raw, gzip } = sumSizes(build, files);
  const detail = ` (${(raw / 1000).toFixed(0)} KB raw, ${(gzip / 1000).toFixed(0)} KB with gzip)`;
  sheet.goal('precached, with brotli', kb(build, files), { at_most: PRECACHE_KB }, ' KB');
  sheet.add('precached files', String(files.length), detail);
  sheet.add('code reader, where the browser has none', `${kb(build, code_reader).toFixed(0)} KB`);
  sheet.goal('worker', kb(build, ['sw.js']), { at_most: WORKER_KB }, ' KB');
  sheet.goal("worker's sender of the outbox", kb(build, [sender]), { at_most: SENDER_KB }, ' KB');
}

function kb(build: WebBuild, files: readonly string[]): number {
  return sumSizes(build, files).brotli / 1000;
}

function countCalls(paths: readonly string[]): string {
  return ` (${paths.filter((path) => path.startsWith('/v1/')).length} of them calls)`;
}

function changeFirstText(json: string): string {
  return json.replace(/": "/, '": "Changed: ');
}
