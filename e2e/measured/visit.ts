import type { Browser, BrowserContext, Page } from '@playwright/test';
import { type BlockingShares, type HotFunction, listHotFunctions, type Profile, shareBlocking } from './cpu-profile.ts';
import { listBlocking, type MainThread, readMainThread, sumBlocking, TRACED } from './main-thread.ts';
import { slowDown } from './slow-phone.ts';
import { assertPainted, readPage, sumShifts, waitForFrame, waitForQuiet, watchPage } from './watch-page.ts';

/** What one visit of a page shows, in ms since its navigation. */
export interface Visit {
  first_paint_ms: number;
  lcp_ms: number;
  /** The time of tasks beyond 50 ms after the first paint: CPU time, and by the clock. */
  blocking_ms: number;
  blocking_wall_ms: number;
  cls: number;
  /** The largest jump, in words; '' without one. */
  jump: string;
  list_ms: number | null;
  map_ms: number | null;
}

/** A visit under the profiler, which makes it slower. */
export interface ProfiledVisit extends BlockingShares {
  functions: HotFunction[];
}

interface Target {
  browser: Browser;
  context: BrowserContext;
  url: string;
  path: string;
  /** Without a long task for so long, the page has loaded. */
  quiet_ms: number;
  /** Selector of what the loaded page must show. */
  shows?: string;
  /** Runs in the page before its scripts. */
  plant?: () => void;
}

/** Visits a page as Lighthouse's phone does, in a new tab. */
export async function visit(target: Target): Promise<Visit> {
  const { noted, thread } = await load(target, async () => undefined);
  const { cpu_ms, wall_ms } = sumBlocking(thread, noted.first_paint_ms);
  const [largest] = [...noted.shifts].sort((a, b) => b.value - a.value);
  const { first_paint_ms, lcp_ms, list_ms, map_ms } = noted;
  return {
    first_paint_ms,
    lcp_ms,
    blocking_ms: cpu_ms,
    blocking_wall_ms: wall_ms,
    cls: sumShifts(noted.shifts),
    jump: largest ? `${largest.moved} at ${largest.at_ms.toFixed(0)} ms by ${largest.value.toFixed(3)}` : '',
    list_ms,
    map_ms,
  };
}

/** Visits a page under the profiler. */
export async function visitProfiled(target: Target): Promise<ProfiledVisit> {
  let profile: Profile | undefined;
  const { noted, thread } = await load(target, async (page, devtools) => {
    // A profile ends with its process, which is then the page's too.
    await page.goto(`${target.url}/sw.js`);
    await devtools.send('Profiler.enable');
    await devtools.send('Profiler.setSamplingInterval', { interval: 500 });
    await devtools.send('Profiler.start');
    return async () => {
      profile = (await devtools.send('Profiler.stop')).profile;
    };
  });
  if (!profile) throw new Error('the profiler returned nothing');
  const blocking = listBlocking(thread, noted.first_paint_ms);
  return { functions: listHotFunctions(profile), ...shareBlocking(profile, blocking) };
}

type Devtools = Awaited<ReturnType<typeof slowDown>>;
type Prepare = (page: Page, devtools: Devtools) => Promise<undefined | (() => Promise<void>)>;

interface Loaded {
  noted: ReturnType<typeof readPage>;
  thread: MainThread;
}

/** On a busy machine Chromium sometimes loses a trace or a paint: the visit is repeated. */
const TRIES = 3;

async function load(target: Target, prepare: Prepare, nth_try = 1): Promise<Loaded> {
  try {
    return await loadOnce(target, prepare);
  } catch (error) {
    if (nth_try === TRIES) throw error;
    console.error(error);
    return load(target, prepare, nth_try + 1);
  }
}

async function loadOnce(target: Target, prepare: Prepare): Promise<Loaded> {
  const { browser, context, url, path, quiet_ms, shows, plant } = target;
  const page: Page = await context.newPage();
  try {
    await page.addInitScript(watchPage);
    if (plant) await page.addInitScript(plant);
    const devtools = await slowDown(page, true);
    const finish = await prepare(page, devtools);
    await browser.startTracing(page, { categories: TRACED });
    let trace: Buffer = Buffer.alloc(0);
    try {
      await page.goto(url + path, { waitUntil: 'commit' });
      await page.evaluate(waitForQuiet, quiet_ms);
      await finish?.();
    } finally {
      trace = await browser.stopTracing();
    }
    if (shows) await page.locator(shows).first().waitFor({ timeout: 60_000 });
    await page.evaluate(waitForFrame);
    const noted = await page.evaluate(readPage);
    assertPainted(noted);
    return { noted, thread: readMainThread(trace, noted.marked_ms) };
  } finally {
    await page.close();
  }
}
