import { expect, type Page } from '@playwright/test';

/** A toast is a dialog too, but one that lets everything else be used. */
export const sheet = (page: Page) => page.locator('[role=dialog]:not([aria-modal=false])');

async function typeBody(page: Page, values: { age?: string; weight?: string; height?: string }): Promise<void> {
  const { age, weight, height } = values;
  if (age !== undefined) await sheet(page).getByLabel('Age').fill(age);
  if (weight !== undefined) await sheet(page).getByLabel('Weight').fill(weight);
  if (height !== undefined) await sheet(page).getByLabel('Height').fill(height);
}

/** Answers the questions of the first run. */
export async function answerWelcome(page: Page): Promise<void> {
  await typeBody(page, { age: '34', weight: '61,5', height: '170' });
  await sheet(page).getByRole('button', { name: 'Save' }).click();
  await expect(sheet(page)).toHaveCount(0);
}
