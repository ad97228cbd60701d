import { PATHS } from '../../apps/web/src/shared/paths.ts';
import { median } from '../../bench/load/print.ts';
import type { PageLoads } from '../../e2e/measured/page-loads.ts';
import type { Taps } from '../../e2e/measured/taps.ts';
import type { Visit } from '../../e2e/measured/visit.ts';
import type { FigureSheet } from './figures.ts';
import { measureInBrowser } from './measure-in-browser.ts';
import { nameFunctions } from './source-functions.ts';

const LCP_RATIO = 1.4;
const LOGIN_BLOCKING_MS = 50;
const BLOCKING_MS = 150;
const OWN_MAP_SCREEN_MS = 300;
const LIST_MS = 1_000;
const CLS = 0.02;
const TAP_MS = 200;
const HEAVIEST = 3;
const MAP_SCREEN = PATHS.sportCenters;

type Key = 'first_paint_ms' | 'lcp_ms' | 'blocking_ms' | 'blocking_wall_ms' | 'cls' | 'list_ms' | 'map_ms';

/** Throws if no visit noted it: the median of nothing would reach a goal. */
function medianOf(visits: readonly Visit[], key: Key): number {
  const noted = visits.map((visit) => visit[key]).filter((value) => value !== null);
  if (noted.length === 0) throw new Error(`${key} was seen in none of ${visits.length} visits`);
  return median(noted);
}

/**
 * The sign-in page's first visit and later visits of signed-in screens with Lighthouse's phone and network, beside the
 * bare page, and the taps of the main job. `dist`: the build with its source maps. Throws if a planted fault is not found.
 */
export async function measurePages(sheet: FigureSheet, dist: string): Promise<void> {
  const loads = await measureInBrowser<PageLoads>('e2e/measured/page-loads.ts', 'PAGE-LOADS ');
  printLoads(sheet, loads);
  printHeaviest(loads, dist);
  printTaps(sheet, await measureInBrowser<Taps>('e2e/measured/taps.ts', 'TAPS '));
}

/** Throws if a figure was not measured, or a planted fault not found. */
export function printLoads(sheet: FigureSheet, loads: PageLoads): void {
  const { planted, bare_cold, bare_return } = loads;
  const is_found = planted.blocking_ms > LOGIN_BLOCKING_MS && planted.cls > CLS;
  sheet.control('planted task and jump', is_found, `${planted.blocking_ms.toFixed(0)} ms, ${planted.cls.toFixed(2)}`);
  const login_lcp_ms = medianOf(loads.login, 'lcp_ms');
  sheet.goal(`${PATHS.login}, first visit: LCP / bare page`, login_lcp_ms / medianOf(bare_cold, 'lcp_ms'), {
    at_most: LCP_RATIO,
  });
  printVisits(sheet, PATHS.login, loads.login, { bare: bare_cold, blocking_ms: LOGIN_BLOCKING_MS });
  for (const [name, visits] of Object.entries(loads.screens))
    printVisits(sheet, name, visits, { bare: bare_return, blocking_ms: name === MAP_SCREEN ? null : BLOCKING_MS });
  printMapScreen(sheet, loads);
}

interface Beside {
  bare: readonly Visit[];
  /** The goal of the blocking time; null: none as a whole. */
  blocking_ms: number | null;
}

function printVisits(sheet: FigureSheet, name: string, visits: Visit[], { bare, blocking_ms }: Beside): void {
  const cpu_ms = medianOf(visits, 'blocking_ms');
  const title = `${name}: blocking time, CPU`;
  if (blocking_ms === null) sheet.add(title, `${cpu_ms.toFixed(0)} ms`);
  else sheet.goal(title, cpu_ms, { at_most: blocking_ms }, ' ms');
  sheet.goal(`${name}: layout shift`, medianOf(visits, 'cls'), { at_most: CLS });
  const part = (key: Key) => `${medianOf(visits, key).toFixed(0)} ms, bare page ${medianOf(bare, key).toFixed(0)}`;
  console.log(
    `     (by the clock ${part('blocking_wall_ms')}; first paint ${part('first_paint_ms')}; LCP ${part('lcp_ms')})`,
  );
  for (const jump of new Set(visits.map((visit) => visit.jump).filter(Boolean))) console.log(`     jump: ${jump}`);
}

function printMapScreen(sheet: FigureSheet, { screens, profiles }: PageLoads): void {
  const visits = screens[MAP_SCREEN];
  const profile = profiles[MAP_SCREEN];
  if (!visits || !profile) throw new Error(`${MAP_SCREEN} was not measured`);
  const { own_ms, map_ms, browser_ms } = profile;
  const all_ms = own_ms + map_ms + browser_ms;
  // Without a blocking task under the profiler the share is not known: all counts as own.
  const share = all_ms === 0 ? 1 : own_ms / all_ms;
  const blocking_ms = medianOf(visits, 'blocking_ms');
  sheet.goal(`${MAP_SCREEN}: blocking time of own code`, blocking_ms * share, { at_most: OWN_MAP_SCREEN_MS }, ' ms');
  const of = (ms: number) => `${((100 * ms) / Math.max(1, all_ms)).toFixed(0)} %`;
  console.log(`     (own code ${of(own_ms)}, the map's engine ${of(map_ms)}, the browser ${of(browser_ms)})`);
  const list_ms = medianOf(visits, 'list_ms');
  sheet.goal(`${MAP_SCREEN}: list usable`, list_ms, { at_most: LIST_MS }, ' ms');
  sheet.goal(`${MAP_SCREEN}: map after the list`, medianOf(visits, 'map_ms') - list_ms, { at_least: 0 }, ' ms');
}

function printHeaviest({ profiles }: PageLoads, dist: string): void {
  for (const [name, { functions }] of Object.entries(profiles)) {
    console.log(`     ${name}, the most time of their own under the profiler:`);
    for (const { name: called, file, self_ms } of nameFunctions(functions, dist).slice(0, HEAVIEST))
      console.log(`     ${self_ms.toFixed(0).padStart(6)} ms  ${called}  ${file}`);
  }
}

/** Throws if there are no taps, or the planted slow one was not found. */
export function printTaps(sheet: FigureSheet, { planted = [], ...taps }: Taps): void {
  sheet.control('planted slow tap', median(planted) > TAP_MS, `${median(planted).toFixed(0)} ms`);
  const medians = Object.entries(taps).map(([name, all]) => ({ name, took_ms: median(all) }));
  for (const { name, took_ms } of medians) console.log(`     tap ${name}: ${took_ms.toFixed(0)} ms`);
  const [slowest] = medians.sort((a, b) => b.took_ms - a.took_ms);
  if (!slowest) throw new Error('no tap was measured');
  sheet.goal(`slowest tap of the main job (${slowest.name})`, slowest.took_ms, { at_most: TAP_MS }, ' ms');
}
