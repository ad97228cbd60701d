import { expect, type Page } from '@playwright/test';
import { openOperator } from '../apps/api/test/operator.ts';
import { type Athlete, readPublicId } from './athlete.ts';
import type { CameraBrowser } from './camera.ts';
import type { Server } from './server.ts';

/** A public pool in Madrid that is in the starter set as well as in the full data. */
export const POOL = 'Centro Deportivo Municipal La Cebada';
/** 7.355 MET · 45 or 46 minutes, half up: a journey itself takes some of a minute. */
export const POINTS_OF_45_MIN = /^(331|338)$/;

/** From the center's page. */
export async function startSwimming({ page }: Pick<Athlete, 'page'>): Promise<void> {
  await page.getByRole('button', { name: 'Start swimming' }).click();
  await expect(page.getByRole('button', { name: 'Finish' })).toBeVisible();
}

/** Finishes, gives up the undo, and shows the code. */
export async function finishAndShowCode({ page }: Pick<Athlete, 'page'>): Promise<void> {
  await page.getByRole('button', { name: 'Finish' }).click();
  await page.getByRole('link', { name: 'Show my code' }).click();
  await expect(page.getByRole('img', { name: /QR code/ })).toBeVisible();
}

/** The referee's camera looks at the athlete's code, and the referee sees whose it is. */
export async function scan(camera: CameraBrowser, referee: Athlete, athlete: Athlete): Promise<void> {
  await camera.lookAt(athlete.page);
  await openScanner(referee.page);
  await expect(referee.page.getByRole('heading', { name: 'Is this right?' })).toBeVisible();
  await expect(referee.page.getByText(athlete.name).first()).toBeVisible();
}

/** As a referee does: one tap from home. */
export async function openScanner(page: Page): Promise<void> {
  await page.goto('/dashboard');
  await page.getByRole('link', { name: 'Scan a code' }).click();
}

/** The operator makes somebody a referee of a center. */
export async function grantReferee(server: Server, referee: Athlete, center_id: string): Promise<void> {
  const printed = await server.sendlap('referees', 'grant', await readPublicId(referee), center_id);
  expect(printed).toContain('is now a referee');
}

/** How many scans were accepted so far, and the entries of all ledgers, oldest first. */
export async function readValidations(server: Server): Promise<{ scans: number; booked: number[] }> {
  const operator = await openOperator(server.data_dir);
  try {
    const { database } = operator;
    const scans = await database.selectFrom('validation_log').select('id').where('outcome', '=', 'accepted').execute();
    const ledger = await database.selectFrom('score_ledger').select('points').orderBy('id').execute();
    return { scans: scans.length, booked: ledger.map((entry) => entry.points) };
  } finally {
    await operator.close();
  }
}
