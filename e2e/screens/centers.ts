import { type BrowserContext, expect, type Locator, type Page } from '@playwright/test';
import { afterDelay } from '../../apps/api/test/delays.ts';

/** A device of this time zone first shows the centers of Madrid, a town of the starter set. */
export const MADRID = { timezoneId: 'Europe/Madrid' };
const MAP_NAME = /^(Map of sport centers|Mapa de centros)/;

export function searchField(page: Page): Locator {
  return page.getByRole('combobox', { name: /^(Search by name or city|Busca por nombre o ciudad)$/ });
}

/** The towns suggested under the search field; the distances of a filter are options too. */
export function townOptions(page: Page): Locator {
  return page.getByRole('listbox').getByRole('option');
}

/** Returns the heading of the list: the first one, since an empty list and cards have headings of their own below it. */
export function listHeading(page: Page): Locator {
  return page.getByRole('main').getByRole('heading', { level: 2 }).first();
}

/** Returns the names of the visible rows of the list, from the top. */
export function rowNames(page: Page): Promise<string[]> {
  return centerRows(page)
    .locator('span.font-semibold')
    .evaluateAll((names) => names.map((name) => name.textContent ?? ''));
}

export function centerRows(page: Page): Locator {
  return page.getByRole('main').getByRole('listitem').getByRole('link');
}

/** Opens the screen of centers and waits for the server's answer in its list. */
export async function openCenters(page: Page, search = ''): Promise<void> {
  const answered = page.waitForResponse((response) => response.url().includes('/v1/sport-centers/search'));
  await page.goto(`/sport-centers${search}`);
  await answered;
  await settled(page);
}

/** Waits until the server has answered and the list shows it. */
export async function settled(page: Page): Promise<void> {
  await expect(centerRows(page).first()).toBeVisible();
  await expect(page.getByText(/^(Searching…|Buscando…)$/)).toHaveCount(0);
}

/** Picks the first town suggested for these words. */
export async function goToTown(page: Page, words: string, name: RegExp): Promise<void> {
  await searchField(page).fill(words);
  const answered = page.waitForResponse((response) => /\/search\?.*radius_km=/.test(response.url()));
  await townOptions(page).filter({ hasText: name }).first().click();
  await answered;
  await expect(page.getByRole('listbox')).toHaveCount(0);
  await settled(page);
}

export function mapCanvas(page: Page): Locator {
  return page.getByRole('region', { name: MAP_NAME }).or(page.locator('canvas.maplibregl-canvas')).first();
}

/** Drags the map by this many px, starting where no bar or sheet covers it. */
export async function panMap(page: Page, by_x: number, by_y: number): Promise<void> {
  const { width } = page.viewportSize() ?? { width: 390 };
  const [x, y] = [width / 2, 260];
  await page.mouse.move(x, y);
  await page.mouse.down();
  for (let step = 1; step <= 8; step++) await page.mouse.move(x + (by_x * step) / 8, y + (by_y * step) / 8);
  // Held still before the release, so that the map does not glide on.
  await afterDelay(250);
  await page.mouse.up();
}

/** Returns the visible map above the list as a PNG in base64: a WebGL canvas cannot be read by other means. */
async function lookAtMap(page: Page): Promise<string> {
  const { width } = page.viewportSize() ?? { width: 390 };
  const picture = await page.screenshot({ clip: { x: 8, y: 180, width: width - 80, height: 160 } });
  return picture.toString('base64');
}

/** Returns the colors that cover more than this share of the map (0 to 1), as "red,green,blue", most frequent first. */
export async function mapColors(page: Page, least_share: number): Promise<string[]> {
  const shares = await page.evaluate(countColors, await lookAtMap(page));
  return shares.filter(([, share]) => share > least_share).map(([color]) => color);
}

async function countColors(base64: string): Promise<[color: string, share: number][]> {
  const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
  const bitmap = await createImageBitmap(new Blob([bytes], { type: 'image/png' }));
  const context = new OffscreenCanvas(bitmap.width, bitmap.height).getContext('2d');
  if (!context) throw new Error('no canvas');
  context.drawImage(bitmap, 0, 0);
  const { data } = context.getImageData(0, 0, bitmap.width, bitmap.height);
  const counts = new Map<string, number>();
  for (let at = 0; at < data.length; at += 4) {
    const color = `${data[at]},${data[at + 1]},${data[at + 2]}`;
    counts.set(color, (counts.get(color) ?? 0) + 1);
  }
  const sorted = [...counts].sort(([, a], [, b]) => b - a);
  return sorted.map(([color, count]) => [color, count / (data.length / 4)]);
}

/** Waits until the map is drawn and no longer changes. */
export async function waitForIdleMap(page: Page): Promise<void> {
  await expect(page.locator('canvas.maplibregl-canvas')).toBeVisible();
  let sight = '';
  await expect
    .poll(
      async () => {
        const before = sight;
        sight = await lookAtMap(page);
        return sight === before;
      },
      { intervals: [800] },
    )
    .toBe(true);
}

/** Opens the sheet of data saved for offline use. */
export function openSaved(page: Page) {
  return page.getByRole('button', { name: /^(Save offline|Saved offline|Saving, )/ }).click();
}

/** Returns every copy in a store of this device, without its bytes. */
export function readStore<Value>(page: Page, store: string): Promise<Value[]> {
  return page.evaluate(readAll, store) as Promise<Value[]>;
}

async function readAll(store: string): Promise<unknown[]> {
  const copies = (await navigator.storageBuckets?.open('copies'))?.indexedDB ?? indexedDB;
  const names = (await copies.databases()).map(({ name }) => name ?? '');
  for (const name of names) {
    const database = await new Promise<IDBDatabase>((resolve, reject) => {
      const request = copies.open(name);
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error);
    });
    try {
      if (!database.objectStoreNames.contains(store)) continue;
      return await new Promise((resolve, reject) => {
        const request = database.transaction(store).objectStore(store).getAll();
        request.onsuccess = () =>
          resolve(request.result.map((copy) => ({ ...copy, data: undefined, weight: undefined })));
        request.onerror = () => reject(request.error);
      });
    } finally {
      database.close();
    }
  }
  return [];
}

/** Empties a store of this device. */
export async function emptyStore(page: Page, store: string): Promise<void> {
  await page.evaluate(async (name) => {
    const copies = (await navigator.storageBuckets?.open('copies'))?.indexedDB ?? indexedDB;
    for (const [databases, database_name] of [
      [copies, 'sendlap-cache'],
      [indexedDB, 'sendlap-outbox'],
    ] as const) {
      const database = await new Promise<IDBDatabase>((resolve, reject) => {
        const request = databases.open(database_name);
        request.onsuccess = () => resolve(request.result);
        request.onerror = () => reject(request.error);
      });
      if (database.objectStoreNames.contains(name)) {
        const transaction = database.transaction(name, 'readwrite');
        transaction.objectStore(name).clear();
        await new Promise((resolve) => transaction.addEventListener('complete', resolve));
      }
      database.close();
    }
  }, store);
}

/** Records every tile that the network delivers from now on, by its path. */
export function recordTiles(context: BrowserContext): string[] {
  const paths: string[] = [];
  context.on('response', (response) => {
    const { pathname } = new URL(response.url());
    if (/^\/v1\/tiles\/.+\.mvt$/.test(pathname)) paths.push(pathname);
  });
  return paths;
}
