import { type Browser, type BrowserContextOptions, chromium, type Page } from '@playwright/test';
import { launchWithCamera } from '../browser/camera.ts';
import { launchOptions } from '../browser/fixtures.ts';
import { findCenterId, openCenter, signInElsewhere, signUp } from '../people/athlete.ts';
import { finishAndShowCode, grantReferee, openScanner } from '../people/swimming.ts';
import { type Server, startServer } from '../server/server.ts';

const POOL = 'La Cebada';
const DRAWINGS = 30;
const RECOGNITIONS = 10;
const CONFIRMATIONS = 20;

declare global {
  interface Window {
    noted: { activity: number[]; friend: number[]; bare: number[]; found: number[]; camera: number[] };
  }
}

/** Times each code drawn from now on. Runs in the page. */
function watchDrawing(): void {
  window.noted = { activity: [], friend: [], bare: [], found: [], camera: [] };
  let [clicked_at, signed_at] = [0, 0];
  const { sign } = SubtleCrypto.prototype;
  SubtleCrypto.prototype.sign = async function (this: SubtleCrypto, ...args: Parameters<typeof sign>) {
    const mac = await sign.apply(this, args);
    signed_at = performance.now();
    return mac;
  };
  addEventListener(
    'click',
    () => {
      [clicked_at, signed_at] = [performance.now(), 0];
    },
    true,
  );
  const observer = new MutationObserver(() => {
    const now = performance.now();
    const drawn = document.querySelector('svg[role=img]')?.getAttribute('aria-label') ?? '';
    if (drawn !== '' && signed_at > 0) window.noted.activity.push(now - signed_at);
    else if (drawn !== '' && clicked_at > 0) window.noted.friend.push(now - clicked_at);
    else if (clicked_at > 0) window.noted.bare.push(now - clicked_at);
    // Only the first change after each start counts.
    if (drawn !== '') signed_at = 0;
    clicked_at = 0;
  });
  addEventListener('DOMContentLoaded', () => observer.observe(document.body, { childList: true, subtree: true }));
}

/** Times the camera and its results from now on. Runs in the page. */
function watchRecognition(): void {
  window.noted = { activity: [], friend: [], bare: [], found: [], camera: [] };
  let [asked_at, playing_at] = [0, 0];
  const { getUserMedia } = MediaDevices.prototype;
  MediaDevices.prototype.getUserMedia = function (this: MediaDevices, ...args: Parameters<typeof getUserMedia>) {
    asked_at = performance.now();
    return getUserMedia.apply(this, args);
  };
  addEventListener(
    'playing',
    () => {
      if (playing_at > 0) return;
      playing_at = performance.now();
      window.noted.camera.push(playing_at - asked_at);
    },
    true,
  );
  const observer = new MutationObserver(() => {
    if (playing_at === 0 || window.noted.found.length > 0 || !document.querySelector('[role=dialog]')) return;
    window.noted.found.push(performance.now() - playing_at);
  });
  addEventListener('DOMContentLoaded', () => observer.observe(document.body, { childList: true, subtree: true }));
}

/** Opens a user's browser with its own clock: a journey's would replace every timer of the page. */
async function openPerson(browser: Browser, server: Server, name: string, options: BrowserContextOptions = {}) {
  const athlete = await signUp(browser, server, name);
  const { page, context } = await signInElsewhere(browser, server, athlete, options);
  await athlete.context.close();
  return { ...athlete, page, context };
}

async function finishSwim(page: Page): Promise<void> {
  await openCenter(page, POOL);
  await page.getByRole('button', { name: 'Start swimming' }).click();
  await page.getByRole('button', { name: 'Finish' }).click();
  await page.getByRole('link', { name: 'Show my code' }).waitFor();
}

async function measureDrawing(page: Page): Promise<Window['noted']> {
  await page.addInitScript(watchDrawing);
  await page.goto('/qr/generate');
  const code = (name: RegExp) => page.getByRole('img', { name }).waitFor();
  await code(/QR code of your swimming/);
  for (let drawing = 0; drawing < DRAWINGS; drawing += 1) {
    await page.getByRole('radio', { name: 'Friends' }).click();
    await code(/public ID/);
    await page.getByRole('radio', { name: 'Activity' }).click();
    await code(/swimming/);
  }
  return page.evaluate(() => window.noted);
}

async function measureRecognition(page: Page): Promise<Pick<Window['noted'], 'found' | 'camera'>> {
  await page.addInitScript(watchRecognition);
  const all: Pick<Window['noted'], 'found' | 'camera'> = { found: [], camera: [] };
  for (let scan = 0; scan < RECOGNITIONS; scan += 1) {
    await page.goto('/dashboard');
    await page.goto('/qr/scan');
    await page.getByRole('dialog').waitFor();
    const { found, camera } = await page.evaluate(() => window.noted);
    all.found.push(...found);
    all.camera.push(...camera);
  }
  return all;
}

/** Records when this word first appears on the screen, by the machine's clock. Runs in the page. */
function watchFor(word: string): void {
  const observer = new MutationObserver(() => {
    if (!document.querySelector('main')?.textContent?.includes(word)) return;
    observer.disconnect();
    document.body.dataset.seen_at = String(Date.now());
  });
  observer.observe(document.body, { childList: true, subtree: true, characterData: true });
}

/** From the referee's tap on Confirm until the athlete's phone, which shows the code, reports it. */
async function measureArrival(athlete: Page, referee: Page): Promise<number[]> {
  const times: number[] = [];
  for (let round = 0; round < CONFIRMATIONS; round += 1) {
    await openCenter(athlete, POOL);
    await athlete.getByRole('button', { name: 'Start swimming' }).click();
    await finishAndShowCode({ page: athlete });
    await camera.lookAt(athlete);
    await openScanner(referee);
    const confirm = referee.getByRole('button', { name: 'Confirm', exact: true });
    await confirm.waitFor();
    await athlete.evaluate(watchFor, 'Confirmed');
    const tapped_at = await confirm.evaluate((button: HTMLElement) => {
      button.click();
      return Date.now();
    });
    const seen = athlete.locator('body[data-seen_at]');
    await seen.waitFor();
    times.push(Number(await seen.getAttribute('data-seen_at')) - tapped_at);
  }
  return times;
}

const server = await startServer();
const browser = await chromium.launch(launchOptions());
const camera = await launchWithCamera((args) => chromium.launch(launchOptions(args)));
try {
  const { page } = await openPerson(browser, server, 'Bench');
  await finishSwim(page);
  const drawing = await measureDrawing(page);
  const referee = await openPerson(camera.browser, server, 'Scanner', { permissions: ['camera'] });
  await camera.lookAt(page);
  const recognition = await measureRecognition(referee.page);
  await referee.page.goto('/dashboard');
  await grantReferee(server, referee, await findCenterId(server, POOL));
  const arrival = await measureArrival(page, referee.page);
  console.log(`QR-CODES ${JSON.stringify({ drawing, recognition, arrival })}`);
} finally {
  await browser.close();
  await camera.browser.close();
  await server.remove();
}
