import { expect, type Page } from '@playwright/test';
import { openOperator } from '../../apps/api/test/app/operator.ts';
import type { CameraBrowser } from '../browser/camera.ts';
import type { Server } from '../server/server.ts';
import { type Athlete, findCenterId, readPublicId } from './athlete.ts';
import { PATIENCE_MS } from './patience.ts';

/** A public pool in Madrid that is both in the starter set and in the full data. */
export const POOL = 'Centro Deportivo Municipal La Cebada';
/** 7.355 MET · 45 or 46 minutes, half up: the journey itself takes up to a minute. */
export const POINTS_OF_45_MIN = /^(235|241)$/;

/** Opens the pool's page directly, without a search. Returns the pool's id. */
export async function openPool({ page }: Pick<Athlete, 'page'>, server: Server): Promise<string> {
  const id = await findCenterId(server, POOL);
  await page.goto(`/sport-centers/${id}`);
  await expect(page.getByRole('heading', { level: 1, name: POOL })).toBeVisible({ timeout: PATIENCE_MS });
  return id;
}

/** Starts on the center's page. */
export async function startSwimming({ page }: Pick<Athlete, 'page'>): Promise<void> {
  await page.getByRole('button', { name: 'Start swimming' }).click();
  await expect(page.getByRole('button', { name: 'Finish' })).toBeVisible({ timeout: PATIENCE_MS });
}

/** Returns the ops in the phone's outbox. */
function readWaitingOps(page: Page): Promise<unknown[]> {
  return page.evaluate(async () => {
    const answered = <Value>(request: IDBRequest<Value>) =>
      new Promise<Value>((resolve, reject) => {
        request.onsuccess = () => resolve(request.result);
        request.onerror = () => reject(request.error);
      });
    const database = await answered(indexedDB.open('sendlap-outbox'));
    try {
      return await answered(database.transaction('ops').objectStore('ops').getAll());
    } finally {
      database.close();
    }
  });
}

/** Finishes, lets the Undo expire, and shows the code. */
export async function finishAndShowCode({ page }: Pick<Athlete, 'page'>): Promise<void> {
  await page.getByRole('button', { name: 'Finish' }).click();
  await page.getByRole('link', { name: 'Show my code' }).click();
  await expect(page.getByRole('img', { name: /QR code/ })).toBeVisible();
}

/** The referee's camera reads the athlete's code, and the referee sees the athlete's name. */
export async function scan(camera: CameraBrowser, referee: Athlete, athlete: Athlete): Promise<void> {
  await camera.lookAt(athlete.page);
  await openScanner(referee.page);
  await expect(referee.page.getByRole('heading', { name: 'Is this right?' })).toBeVisible();
  await expect(referee.page.getByText(athlete.name).first()).toBeVisible();
}

/** Opens the scanner as a referee does: one tap from home. */
export async function openScanner(page: Page): Promise<void> {
  await page.goto('/dashboard');
  await page.getByRole('link', { name: 'Scan a code' }).click();
}

/** A referee without a working camera types the digits that the athlete, whose page shows a code, reads out. */
export async function typeDigits(referee: Athlete, athlete: Athlete): Promise<void> {
  // Digits are looked up on the server, which must know the activity by then.
  await expect.poll(() => readWaitingOps(athlete.page)).toEqual([]);
  await openScanner(referee.page);
  await referee.page.getByRole('button', { name: 'Type the 8 digits' }).click();
  const digits = await athlete.page.locator('[data-digits]').getAttribute('data-digits');
  await referee.page.getByRole('textbox', { name: '8 digits' }).fill(digits ?? '');
  await referee.page.getByRole('button', { name: 'Look up' }).click();
  await expect(referee.page.getByRole('heading', { name: 'Is this right?' })).toBeVisible();
}

/** Makes a user a referee of a center, by the operator CLI; by default of the pool. */
export async function grantReferee(server: Server, referee: Athlete, center_id?: string): Promise<void> {
  const id = center_id ?? (await findCenterId(server, POOL));
  const printed = await server.sendlap('referees', 'grant', await readPublicId(referee), id);
  expect(printed).toContain('is now a referee');
}

/** Returns the number of this athlete's finished activities on the server. */
export async function countFinished(server: Server, { name }: Pick<Athlete, 'name'>): Promise<number> {
  const operator = await openOperator(server);
  try {
    const finished = await operator.database
      .selectFrom('activities')
      .innerJoin('users', 'users.id', 'activities.user_id')
      .select('activities.id')
      .where('users.name', '=', name)
      .where('status', '=', 'finished')
      .execute();
    return finished.length;
  } finally {
    await operator.close();
  }
}

/** Returns the number of accepted scans so far, and the entries of all ledgers, oldest first. */
export async function readValidations(server: Server): Promise<{ scans: number; booked: number[] }> {
  const operator = await openOperator(server);
  try {
    const { database } = operator;
    const scans = await database.selectFrom('validation_log').select('id').where('outcome', '=', 'accepted').execute();
    const ledger = await database.selectFrom('score_ledger').select('points').orderBy('id').execute();
    return { scans: scans.length, booked: ledger.map((entry) => entry.points) };
  } finally {
    await operator.close();
  }
}
