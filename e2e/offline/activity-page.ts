import type { Locator, Page } from '@playwright/test';
import { pollUntil } from '../../apps/api/test/delays.ts';
import type { Server } from '../server/server.ts';
import type { TimeSpan } from './notebook.ts';
import { readPhoneRows } from './phone-rows.ts';

const MINUTE_MS = 60_000;
const SAVED_WITHIN_MS = 5_000;
const POOL_M = { m: 25, yd: 22.86 };

export const activityPath = (client_id: string) => `/activities/${client_id}`;
export const idOf = (page: Page) => /^\/activities\/([\w-]{36})$/.exec(new URL(page.url()).pathname)?.[1] ?? null;

/** What every finished activity shows, and no running one. */
export const progressOf = (page: Page) => page.getByRole('region', { name: 'Progress' });

/** Counts one more length, and waits until the device has it. Returns the distance that the screen shows then, metres. */
export async function addLength(page: Page, client_id: string): Promise<number> {
  const counter = page.getByRole('region', { name: 'Lengths' });
  const lengths = 1 + Number(/(\d+) lengths?/.exec(await counter.innerText())?.[1] ?? Number.NaN);
  await counter.getByRole('button', { name: 'Add a length' }).click();
  await counter.getByText(new RegExp(`^${lengths} lengths?`)).waitFor();
  const isSaved = async () => {
    const { activities } = await readPhoneRows(page);
    return activities.some((activity) => activity.client_id === client_id && activity.lengths === lengths);
  };
  const failure = page.locator('[data-base-ui-portal] button[aria-label=Close]').first();
  await pollUntil(async () => (await isSaved()) || (await failure.isVisible()), { patience_ms: SAVED_WITHIN_MS });
  // A full device: the finish still takes the length along.
  if (await failure.isVisible()) await failure.click();
  const unit = (await counter.innerText()).includes(' yd') ? 'yd' : 'm';
  return Math.round(lengths * POOL_M[unit]);
}

/**
 * By a clock that is far ahead the activity seems forgotten, and the app asks when it ended: the athlete says the right
 * minute. Returns that time; undefined if the app does not ask.
 */
export async function enterEnd(page: Page, server: Server, finished: Locator): Promise<TimeSpan | undefined> {
  const field = page.getByLabel('I stopped at');
  const told = page.getByText(/^(The storage of this device is full|This device could not save it|It could not be)/);
  await finished.or(field).or(told).first().waitFor();
  if (!(await field.isVisible())) return;
  const minute_ms = Math.floor(server.now() / MINUTE_MS) * MINUTE_MS;
  await field.fill(await page.evaluate(toLocalInput, minute_ms));
  await page.getByRole('button', { name: 'Finish at this time' }).click();
  return { from_ms: minute_ms, until_ms: minute_ms };
}

/** Runs in the page. */
function toLocalInput(epoch_ms: number): string {
  const offset_ms = new Date(epoch_ms).getTimezoneOffset() * 60_000;
  return new Date(epoch_ms - offset_ms).toISOString().slice(0, 16);
}
