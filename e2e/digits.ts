import { expect } from '@playwright/test';
import { type Athlete, openCenter, readPublicId } from './athlete.ts';
import type { Server } from './server.ts';

const POOL = 'Centro Deportivo Municipal La Cebada';

/** The operator makes somebody a referee of the pool; both athletes' pages stand elsewhere afterwards. */
export async function makeReferee(server: Server, referee: Athlete, athlete: Athlete): Promise<void> {
  await openCenter(athlete.page, POOL);
  const center_id = new URL(athlete.page.url()).pathname.split('/').at(-1) ?? '';
  const printed = await server.sendlap('referees', 'grant', await readPublicId(referee), center_id);
  expect(printed).toContain('is now a referee');
}

/** The athlete, whose page shows a code, reads its digits out to the referee. */
export async function typeDigits(referee: Athlete, athlete: Athlete): Promise<void> {
  await referee.page.goto('/dashboard');
  await referee.page.getByRole('link', { name: 'Scan a code' }).click();
  await referee.page.getByRole('button', { name: 'Type the 8 digits' }).click();
  const digits = await athlete.page.locator('[data-digits]').getAttribute('data-digits');
  await referee.page.getByRole('textbox', { name: '8 digits' }).fill(digits ?? '');
  await referee.page.getByRole('button', { name: 'Look up' }).click();
  await expect(referee.page.getByRole('heading', { name: 'Is this right?' })).toBeVisible();
}
