import { chromium, type Page } from '@playwright/test';
import { signUp, waitForWorker } from '../athlete.ts';
import { centerRows, MADRID, openCenters, searchField } from '../centers.ts';
import { launchOptions } from '../fixtures.ts';
import { startServer } from '../server.ts';

/** Printed as one line of JSON: how long a search over so many kept centers takes in Chromium without a network. */
interface OfflineSearch {
  /** ms of the longest task of the main thread while letters were typed; 0: none was over 50. */
  longest_task_ms: number;
  /** ms from each letter to the list of its centers. */
  results_ms: number[];
}

const CENTERS = 20_000;
const WORDS = ['piscina', 'sala 19', 'boulder m', 'norte 7'];

/** Puts made-up centers around Spain beside one that the app has kept, in its own form. Runs in the page. */
async function plantCenters(count: number): Promise<void> {
  const NAMES = ['Piscina Municipal', 'Sala', 'Boulder Mitte', 'Polideportivo Norte'];
  const database = await new Promise<IDBDatabase>((resolve) => {
    const request = indexedDB.open('sendlap-cache');
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

declare global {
  interface Window {
    tasks_ms: number[];
  }
}

/** From now on every task over 50 ms is noted. Runs in the page. */
function watchTasks(): void {
  window.tasks_ms = [];
  new PerformanceObserver((list) => {
    window.tasks_ms.push(...list.getEntries().map(({ duration }) => duration));
  }).observe({ type: 'longtask' });
}

/** Types one letter more and gives the ms until the list has changed and is painted. Runs in the page. */
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

async function measure(page: Page): Promise<OfflineSearch> {
  await searchField(page).click();
  // The first search reads all copies into memory; that is its own figure, in the list below the first.
  const results_ms: number[] = [];
  for (const words of WORDS) {
    for (let end = 1; end <= words.length; end++) {
      const text = words.slice(0, end);
      if (text.endsWith(' ')) continue;
      const took_ms = await page.evaluate(typeMore, text);
      // The same centers for one letter more: nothing was to be changed.
      if (!Number.isNaN(took_ms)) results_ms.push(took_ms);
      await page.waitForTimeout(120);
    }
  }
  const tasks_ms = await page.evaluate(() => window.tasks_ms);
  return { longest_task_ms: Math.max(0, ...tasks_ms), results_ms };
}

const server = await startServer();
const browser = await chromium.launch(launchOptions());
try {
  const { page, context } = await signUp(browser, server, 'Bench', MADRID);
  await waitForWorker(page);
  await openCenters(page);
  await page.evaluate(plantCenters, CENTERS);
  await context.setOffline(true);
  await page.reload();
  await centerRows(page).first().waitFor();
  // The start itself has other limits; what is asked here is how typing feels.
  await page.waitForTimeout(3_000);
  await page.evaluate(watchTasks);
  console.log(`OFFLINE-SEARCH ${JSON.stringify(await measure(page))}`);
} finally {
  await browser.close();
  await server.remove();
}
