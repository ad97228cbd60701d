import { expect, type Locator } from '@playwright/test';
import { readPublicId, signUp } from './athlete.ts';
import { test } from './fixtures.ts';
import { befriend } from './friends.ts';

/** As wide as a name can be: one word of 40 letters. */
const LONG_NAME = 'Maximilianswolkensteinhausenburgenthaler';

test('whoever uses a keyboard stays in the lists after ending a friendship and after a block', async ({
  browser,
  server,
}) => {
  const ana = await signUp(browser, server, 'Ana');
  const others = [await signUp(browser, server, 'Ben'), await signUp(browser, server, 'Cleo')];
  for (const other of others) await befriend(server, ana, other);
  const { page } = ana;
  await page.goto('/friends');
  const main = page.getByRole('main');
  for (const [name, what] of [
    ['Ben', 'Remove friend'],
    ['Cleo', 'Block'],
  ] as const) {
    await main.getByRole('button', { name: new RegExp(`^\\w?\\s*${name}`) }).press('Enter');
    const profile = page.getByRole('dialog', { name: 'Profile' });
    await expect(profile).toBeFocused();
    await profile.getByRole('button', { name: what }).press('Enter');
    const sheet = page.getByRole('dialog', { name: new RegExp(`${name}\\?$`) });
    // The button that was pressed is gone; the focus stays in the sheet.
    await expect(sheet).toBeFocused();
    await sheet.getByRole('button', { name: what }).press('Enter');
    await expect(sheet).toHaveCount(0);
    await expect(main.getByRole('listitem').filter({ hasText: name })).toHaveCount(0);
    await expect
      .poll(() => page.evaluate(() => document.querySelector('main')?.contains(document.activeElement)))
      .toBe(true);
  }
  for (const { context } of [ana, ...others]) await context.close();
});

test('with twice the size of letters everything still fits on a phone', async ({ browser, server }) => {
  const [ana, ben] = [await signUp(browser, server, LONG_NAME), await signUp(browser, server, 'Ben')];
  const { page } = ben;
  await ana.page.goto('/friends');
  await ana.page.getByRole('textbox', { name: 'Public ID of your friend' }).fill(await readPublicId(ben));
  await ana.page.keyboard.press('Enter');
  await ana.page.getByRole('button', { name: 'Add friend' }).click();
  await page.setViewportSize({ width: 320, height: 640 });
  await page.evaluate(() => localStorage.setItem('preferred-language', 'es'));
  await page.goto('/friends');
  const row = page.getByRole('main').getByRole('listitem').filter({ hasText: LONG_NAME });
  await expect(row).toBeVisible();
  await page.evaluate(() => {
    document.documentElement.style.fontSize = '200%';
  });
  await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
  for (const button of await row.getByRole('button').all()) expect(await endOf(button)).toBeLessThanOrEqual(320);
  await row.getByRole('button').first().click();
  const badge = page.getByRole('dialog').getByText('Quiere ser tu amigo');
  await expect(badge).toBeVisible();
  expect(await endOf(badge)).toBeLessThanOrEqual(320);
  const sheet = page.getByRole('dialog');
  await sheet.getByRole('button', { name: 'Denunciar' }).click();
  await expect(sheet).toHaveAccessibleName(`Denunciar a ${LONG_NAME}`);
  expect(await overflowOf(sheet.getByRole('heading'))).toBe(0);
  for (const reason of await sheet.getByRole('group').getByRole('button').all())
    expect(await endOf(reason)).toBeLessThanOrEqual(320);
  await page.goto('/profile');
  await page.evaluate(() => {
    document.documentElement.style.fontSize = '200%';
  });
  await page.getByRole('switch', { name: 'Horas de silencio' }).check();
  for (const edge of ['Desde', 'Hasta']) expect(await endOf(page.getByLabel(edge))).toBeLessThanOrEqual(320);
  for (const { context } of [ana, ben]) await context.close();
});

/** How much of its text, in px, stands beyond its own end. */
function overflowOf(part: Locator): Promise<number> {
  return part.evaluate(({ scrollWidth, clientWidth }) => Math.max(0, scrollWidth - clientWidth));
}

/** Where something ends on the right, in px. */
async function endOf(part: Locator): Promise<number> {
  const box = await part.boundingBox();
  if (!box) throw new Error('this is not on the screen');
  return Math.round(box.x + box.width);
}
