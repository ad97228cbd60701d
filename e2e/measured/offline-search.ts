import { setTimeout as pause } from 'node:timers/promises';
import { chromium, type Page } from '@playwright/test';
import { launchOptions } from '../browser/fixtures.ts';
import { signInElsewhere, signUp, waitForWorker } from '../people/athlete.ts';
import { centerRows, MADRID, openCenters, searchField } from '../screens/centers.ts';
import { startServer } from '../server/server.ts';

/** Printed as one line of JSON: the time of a search over so many stored centers in Chromium without a network. */
interface OfflineSearch {
  /** CPU ms of the longest task of the main thread while letters were typed. */
  longest_task_ms: number;
  /** Wall-clock ms of the longest task, including other work of the machine. */
  longest_wall_ms: number;
  /** ms from each letter to the list of its centers. */
  results_ms: number[];
}

/** On this size the list covers the map during typing; without a graphics card, a visible map takes all of the CPU. */
const PHONE = { width: 390, height: 844 };
const CENTERS = 20_000;
const TRACED = ['devtools.timeline', 'disabled-by-default-devtools.timeline'];
const WORDS = ['piscina', 'sala 19', 'boulder m', 'norte 7'];

/** Adds made-up centers around Spain to the app's copies, in the form of an existing one. Runs in the page. */
async function plantCenters(count: number): Promise<void> {
  const NAMES = ['Piscina Municipal', 'Sala', 'Boulder Mitte', 'Polideportivo Norte'];
  const copies = await navigator.storageBuckets?.open('copies');
  const database = await new Promise<IDBDatabase>((resolve) => {
    const request = (copies?.indexedDB ?? indexedDB).open('sendlap-cache');
    request.onsuccess = () => resolve(request.result);
  });
  const store = () => database.transaction('sport_centers', 'readwrite').objectStore('sport_centers');
  const sample = await new Promise<{ value: object }>((resolve) => {
    const request = store().getAll(null, 1);
    request.onsuccess = () => resolve(request.result[0]);
  });
  const target = store();
  for (let number = 0; number < count; number++) {
    const id = `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;
    const name = `${NAMES[number % NAMES.length]} ${number}`;
    const place = {
      latitude: 36 + ((number * 7919) % 7000) / 1000,
      longitude: -9 + ((number * 104_729) % 12_000) / 1000,
    };
    target.put({ ...sample, value: { ...sample.value, id, name, ...place } }, id);
  }
  await new Promise((resolve) => target.transaction.addEventListener('complete', resolve));
  database.close();
}

interface TraceEvent {
  name: string;
  pid: number;
  tid: number;
  args: { name?: string };
  /** µs of wall-clock time, and of CPU time. */
  dur?: number;
  tdur?: number;
}

/** Returns the longest tasks of the page's main thread in a trace of Chromium. */
function longestTasks(trace: Buffer): Pick<OfflineSearch, 'longest_task_ms' | 'longest_wall_ms'> {
  const { traceEvents: events } = JSON.parse(trace.toString()) as { traceEvents: TraceEvent[] };
  const threadOf = ({ pid, tid }: TraceEvent) => `${pid} ${tid}`;
  const isMain = ({ name, args }: TraceEvent) => name === 'thread_name' && args.name === 'CrRendererMain';
  const main = new Set(events.filter(isMain).map(threadOf));
  const tasks = events.filter((event) => event.name === 'RunTask' && main.has(threadOf(event)));
  if (tasks.length === 0) throw new Error('the trace has no tasks');
  return {
    longest_task_ms: Math.max(...tasks.map(({ tdur = 0 }) => tdur)) / 1000,
    longest_wall_ms: Math.max(...tasks.map(({ dur = 0 }) => dur)) / 1000,
  };
}

/** Types one more letter and returns the ms until the list has changed and is painted. Runs in the page. */
async function typeMore(text: string): Promise<number> {
  const input = document.querySelector<HTMLInputElement>('input[role=combobox]');
  const list = document.querySelector('main');
  if (!input || !list) throw new Error('no search here');
  const shown = () => [...list.querySelectorAll('li a')].map((row) => row.getAttribute('href')).join();
  const before = shown();
  const { promise, resolve } = Promise.withResolvers<number>();
  const observer = new MutationObserver(() => {
    if (shown() !== before) requestAnimationFrame(() => resolve(performance.now()));
  });
  observer.observe(list, { childList: true, subtree: true, attributes: true, characterData: true });
  const give_up = setTimeout(() => resolve(Number.NaN), 3_000);
  const typed_at = performance.now();
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(input, text);
  input.dispatchEvent(new Event('input', { bubbles: true }));
  const shown_at = await promise;
  clearTimeout(give_up);
  observer.disconnect();
  return shown_at - typed_at;
}

async function typeWords(page: Page): Promise<number[]> {
  await searchField(page).click();
  // The first search reads all copies into memory; this is a figure of its own.
  const results_ms: number[] = [];
  for (const words of WORDS) {
    for (let end = 1; end <= words.length; end++) {
      const text = words.slice(0, end);
      if (text.endsWith(' ')) continue;
      const took_ms = await page.evaluate(typeMore, text);
      // NaN: one more letter found the same centers, so the list did not change.
      if (!Number.isNaN(took_ms)) results_ms.push(took_ms);
      await pause(120);
    }
  }
  return results_ms;
}

const server = await startServer();
const browser = await chromium.launch(launchOptions());
try {
  const athlete = await signUp(browser, server, 'Bench', MADRID);
  // A journey's clock replaces every timer of the page; a measurement needs the browser's own.
  const { page, context } = await signInElsewhere(browser, server, athlete, { ...MADRID, viewport: PHONE });
  await athlete.context.close();
  await waitForWorker(page);
  await openCenters(page);
  await page.evaluate(plantCenters, CENTERS);
  await context.setOffline(true);
  await page.reload();
  await centerRows(page).first().waitFor();
  // The start has limits of its own; this measures only typing.
  await pause(3_000);
  await browser.startTracing(page, { categories: TRACED });
  const results_ms = await typeWords(page);
  const found: OfflineSearch = { ...longestTasks(await browser.stopTracing()), results_ms };
  console.log(`OFFLINE-SEARCH ${JSON.stringify(found)}`);
} finally {
  await browser.close();
  await server.remove();
}
