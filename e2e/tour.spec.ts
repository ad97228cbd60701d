import { type Browser, expect, type Page } from '@playwright/test';
import { test } from './browser/fixtures.ts';
import { IS_THOROUGH } from './browser/sights.ts';
import { signUp } from './people/athlete.ts';
import { openPool, startSwimming } from './people/swimming.ts';
import { look } from './screens/look.ts';
import type { Server } from './server/server.ts';

const TITLES = [
  'Welcome to Sendlap',
  'Skills radar',
  'Activity history',
  'Sport centers',
  'Ranks',
  'Friends and chat',
  'Profile',
  'Ready when you are',
];

/** The visible step of the tour; it is modal. */
const step = (page: Page, title: string) => page.getByRole('dialog', { name: title });

/** Records every violation of the content security policy from here on. */
async function listenForRefusals(page: Page): Promise<() => Promise<string[]>> {
  await page.evaluate(() => {
    const heard: string[] = [];
    Object.assign(globalThis, { heard });
    addEventListener('securitypolicyviolation', (event) => heard.push(event.violatedDirective));
  });
  return () => page.evaluate(() => (globalThis as unknown as { heard: string[] }).heard);
}

test('the whole tour goes by keyboard, without a barrier that axe knows [spec 1.tour.guided, 2.tour.welcome, 2.tour.skills-radar, 2.tour.history, 2.tour.sport-centers, 2.tour.leaderboards, 2.tour.chat, 2.tour.profile, 2.tour.final]', async ({
  browser,
  server,
}) => {
  const { page, context } = await signUp(browser, server, 'Tove');
  const refusals = await listenForRefusals(page);
  await expect(page.getByRole('region', { name: 'New here?' })).toBeVisible();
  await page.getByRole('button', { name: 'Show me around' }).focus();
  await page.keyboard.press('Enter');
  for (const [index, title] of TITLES.entries()) {
    await expect(step(page, title)).toBeVisible();
    await expect(step(page, title)).toContainText(`${index + 1} of 8`);
    await look(page, `tour-${index + 1}`);
    if (index === 0) await stayInside(page);
    if (index < 7) await page.keyboard.press('ArrowRight');
  }
  await page.keyboard.press('ArrowLeft');
  await expect(step(page, TITLES[6] ?? '')).toBeVisible();
  await page.keyboard.press('ArrowRight');
  await expect(step(page, TITLES[7] ?? '')).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(page.getByRole('region', { name: 'New here?' })).toHaveCount(0);
  expect(await refusals()).toEqual([]);
  await context.close();
});

/** Expects that Tab never moves the focus out of the dialog. */
async function stayInside(page: Page): Promise<void> {
  await expect(page.getByRole('dialog').getByRole('button').first()).toBeVisible();
  for (let presses = 0; presses < 5; presses += 1) {
    await page.keyboard.press('Tab');
    expect(await page.evaluate(() => document.activeElement?.closest('[role=dialog]') !== null)).toBe(true);
  }
}

interface Shift {
  value: number;
  /** The texts of what moved. */
  moved: string[];
}

/** Collects all layout shifts, from the first paint of each page. Runs in the page. */
function collectShifts(): void {
  const shifts: Shift[] = [];
  Object.assign(globalThis, { shifts });
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries() as (PerformanceEntry & { value: number; sources: { node?: Node }[] })[]) {
      shifts.push({
        value: entry.value,
        moved: entry.sources.map(({ node }) => node?.textContent?.slice(0, 40) ?? ''),
      });
    }
  }).observe({ type: 'layout-shift', buffered: true });
}

/** Expects that Home keeps still when it opens with the offer. */
async function openStill(browser: Browser, server: Server): Promise<void> {
  for (const width of IS_THOROUGH ? [320, 390, 1280] : [320, 390]) {
    const options = { viewport: { width, height: 800 } };
    const { page, context } = await signUp(browser, server, 'Tilda', options, (opened) =>
      opened.addInitScript(collectShifts).then(() => {}),
    );
    await expect(page.getByRole('region', { name: 'New here?' })).toBeVisible();
    await expect(page.getByRole('heading', { name: 'Your first points are nearby' })).toBeVisible();
    await expect(page.getByRole('button', { name: 'Open chats' })).toBeVisible();
    const shifts = await page.evaluate(() => (globalThis as unknown as { shifts: Shift[] }).shifts);
    expect(
      shifts.reduce((sum, { value }) => sum + value, 0),
      `${width} px: ${JSON.stringify(shifts)}`,
    ).toBeLessThan(0.01);
    await context.close();
  }
}

/** Answers as if the athlete had confirmed activities, so that the home screen has a radar. */
async function fillRadar(page: Page): Promise<void> {
  await page.route('**/v1/dashboard', async (route) => {
    const reply = await (await route.fetch()).json();
    for (const axis of reply.data.skills.axes) axis.value = 60;
    await route.fulfill({ json: reply });
  });
}

/**
 * Returns how much of what the step lights is under its bubble or off the screen, and of the bubble off the screen, in
 * px²; null if the step lights nothing. Runs in the page.
 */
function measureHidden(): number | null {
  const [bubble, lit] = ['.driver-popover', '.driver-active-element'].map((name) => document.querySelector(name));
  if (!bubble || !lit || lit.id === 'driver-dummy-element') return null;
  const screen = new DOMRect(0, 0, innerWidth, innerHeight);
  const common = (a: DOMRect, b: DOMRect) =>
    Math.max(0, Math.min(a.right, b.right) - Math.max(a.left, b.left)) *
    Math.max(0, Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top));
  const [over, under] = [bubble.getBoundingClientRect(), lit.getBoundingClientRect()];
  const offScreen = (box: DOMRect) => box.width * box.height - common(box, screen);
  return Math.round(common(over, under) + offScreen(over) + offScreen(under));
}

const [SMALLEST, PHONE, TABLET, LAPTOP] = [
  { width: 320, height: 640 },
  { width: 390, height: 844 },
  { width: 820, height: 1180 },
  { width: 1280, height: 800 },
];

/** Goes through the tour; every step but the first lights something that its bubble does not cover. */
async function expectLitSteps(page: Page, size: { width: number; height: number }): Promise<void> {
  await page.setViewportSize(size);
  await page.goto('/dashboard?tour=start');
  for (const [index, title] of TITLES.entries()) {
    await expect(step(page, title)).toBeVisible();
    const expected = index === 0 ? null : 0;
    await expect.poll(() => page.evaluate(measureHidden), `${title} at ${size.width} px`).toBe(expected);
    if (index < 7) await page.keyboard.press('ArrowRight');
  }
  const lit = page.locator('.driver-active-element');
  // The light of the step before goes out a moment later.
  await expect(lit).toHaveCount(1);
  await expect(lit).toHaveAttribute('href', '/qr/scan');
  await page.keyboard.press('Escape');
}

test('the offer of the tour moves nothing on the home screen, at 320, 390, 820 and 1280 px no step covers what it explains, on the smallest phone also to a new user, and the last one lights the scanner', async ({
  browser,
  server,
}) => {
  await openStill(browser, server);
  const athlete = await signUp(browser, server, 'Tage');
  const { page, context } = athlete;
  for (const size of IS_THOROUGH ? [SMALLEST, PHONE] : [SMALLEST]) await expectLitSteps(page, size);
  await openPool(athlete, server);
  await startSwimming(athlete);
  await page.getByRole('button', { name: 'Finish' }).click();
  await fillRadar(page);
  for (const size of [SMALLEST, PHONE, TABLET, LAPTOP]) await expectLitSteps(page, size);
  await context.close();
});
