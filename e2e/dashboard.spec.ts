import { expect, type Page } from '@playwright/test';
import { BADGE_IDS } from '../packages/domain/src/progress/badges.ts';
import { test } from './browser/fixtures.ts';
import { type Athlete, passTime, signUp, WITH_WORKER, waitForWorker } from './people/athlete.ts';
import { finishAndShowCode, grantReferee, openPool, startSwimming, typeDigits } from './people/swimming.ts';
import { widthOf } from './screens/layout.ts';
import { LANGUAGES, type Language, look, lookAtScreen } from './screens/look.ts';
import type { Server } from './server/server.ts';

const ring = (page: Page, points: RegExp | string, unconfirmed = '') =>
  page.getByRole('img', { name: new RegExp(`^(${String(points)}) of 600 points this week${unconfirmed}$`) });

/** Opens this address, in this language from now on. */
async function open(page: Page, path: string, language: Language): Promise<void> {
  await page.evaluate((choice) => localStorage.setItem('preferred-language', choice), language);
  await page.goto(path);
}

/** As `lookAtScreen`; expects too that nothing is wider than a very narrow phone. */
async function lookAtNarrowScreen(page: Page, name: string): Promise<void> {
  await lookAtScreen(page, name);
  await page.setViewportSize({ width: 320, height: 640 });
  await expect.poll(() => widthOf(page), name).toBe(320);
  await page.setViewportSize({ width: 390, height: 844 });
}

/** Looks at the confirmed activity and at the history; the page shows the home screen. */
async function lookAtConfirmed(page: Page): Promise<void> {
  await page.getByRole('link', { name: /ago · 4[56] mins/ }).click();
  await expect(page.getByText('Confirmation by Rex, referee')).toBeVisible();
  await lookAtScreen(page, 'activity-validated');
  await page.getByRole('button', { name: 'Correct' }).click();
  await expect(page.getByRole('dialog').getByText('It will need a new proof')).toBeVisible();
  await look(page, 'activity-correct');
  for (const view of ['list', 'calendar']) {
    await page.goto(`/activities?view=${view}`);
    await expect(page.getByRole('main').getByRole('listitem')).toHaveCount(1);
    await lookAtScreen(page, `history-${view}`);
  }
}

/** The referee rejects a second swim, which the athlete reads on the code's screen and on the activity's. */
async function lookAtRejected(athlete: Athlete, referee: Athlete, server: Server): Promise<void> {
  const { page } = athlete;
  await openPool(athlete, server);
  await startSwimming(athlete);
  await passTime(server, [athlete, referee], 5);
  await finishAndShowCode(athlete);
  await typeDigits(referee, athlete);
  await referee.page.getByRole('button', { name: 'Reject' }).click();
  await referee.page.getByRole('textbox').fill('Another athlete swam');
  await referee.page.getByRole('button', { name: 'Reject' }).click();
  await expect(page.getByRole('heading', { name: 'This activity was rejected' })).toBeVisible();
  await page.getByRole('link', { name: 'See the activity' }).click();
  await expect(page.getByRole('heading', { name: 'Do you see it differently?' })).toBeVisible();
  await lookAtScreen(page, 'activity-rejected');
}

/** Looks at the sheets that Home opens. */
async function lookAtHomeSheets(page: Page, language: Language): Promise<void> {
  const buttons = {
    streak: /^(1 week in a row|1 semana seguida)/,
    start: /^(Start an activity|Empezar una actividad)$/,
  };
  for (const [name, button] of Object.entries(buttons)) {
    await page.getByRole('button', { name: button }).click();
    await expect(page.getByRole('dialog')).toBeVisible();
    await look(page, `${name}-${language}`);
    await page.keyboard.press('Escape');
    await expect(page.getByRole('dialog')).toHaveCount(0);
  }
}

test('a first confirmed swim fills ring, streak, rank, badges, radar and trend live, is announced once, and is still there after another swim was rejected, and without a network [spec 1.dashboard.score, 1.dashboard.badges, 1.dashboard.recent, 1.badge.first-activity, 1.badge.swimming-starter]', async ({
  browser,
  server,
}) => {
  const dana = await signUp(browser, server, 'Dana', WITH_WORKER);
  const rex = await signUp(browser, server, 'Rex');
  const { page, context } = dana;
  await grantReferee(server, rex);
  await expect(page.getByRole('heading', { name: 'Your first points are nearby' })).toBeVisible();
  await expect(page.getByRole('heading', { level: 2 })).toHaveCount(2);
  await page.goto('/badges');
  await expect(page.getByRole('button', { name: /^First Activity\s*1 to go/ })).toBeVisible();

  await openPool(dana, server);
  await startSwimming(dana);
  await passTime(server, [dana, rex], 45);
  await finishAndShowCode(dana);
  await typeDigits(rex, dana);
  await page.goto('/dashboard');
  await expect(ring(page, '0', ', (235|241) recorded and not confirmed')).toBeVisible();
  await expect(page.getByText(/^(235|241) waiting$/).first()).toBeVisible();

  await rex.page.getByRole('button', { name: 'Confirm', exact: true }).click();
  await expect(ring(page, '235|241')).toBeVisible();
  const news = page.locator('[aria-live="polite"]').filter({ hasText: '2 new badges!' });
  await expect(news.getByText('First Activity, Swimming Starter')).toBeVisible();
  await expect(page.getByRole('button', { name: /^1 week in a row\s*On target: 1 day this week/ })).toBeVisible();
  await expect(page.getByRole('link', { name: /^1st/ })).toBeVisible();
  await expect(page.getByRole('list', { name: 'Latest badges' }).getByRole('link')).toHaveCount(2);
  await expect(page.getByRole('slider', { name: 'Week' })).toHaveAttribute('aria-valuetext', /: (235|241) points$/);
  // The journey itself takes a fraction of a minute, or a few minutes.
  await expect(page.getByRole('link', { name: /(now|\dm ago) · 4[56] mins/ })).toBeVisible();
  await passTime(server, [dana, rex], 10);
  await expect(page.getByRole('link', { name: /1\dm ago · 4[56] mins/ })).toBeVisible();

  // By keyboard alone: the radar as a table, one week back, and a skill's formula.
  await page.getByRole('radio', { name: 'Radar' }).focus();
  await page.keyboard.press('ArrowRight');
  await expect(page.getByRole('row', { name: /^Endurance 4[56] mins 5[01]$/ })).toBeVisible();
  await page.keyboard.press('ArrowLeft');
  await page.getByRole('button', { name: /Endurance$/ }).press('Enter');
  await expect(
    page.getByText('The middle length of your last 10 confirmed activities', { exact: false }),
  ).toBeVisible();
  await page.getByRole('slider', { name: 'Week' }).press('ArrowLeft');
  await expect(page.getByRole('slider', { name: 'Week' })).toHaveAttribute('aria-valuetext', /: 0 points$/);

  await lookAtConfirmed(page);
  await lookAtRejected(dana, rex, server);
  for (const language of LANGUAGES) {
    await open(page, '/dashboard', language);
    await lookAtNarrowScreen(page, `standing-${language}`);
    await expect(news).toHaveCount(0);
    await lookAtHomeSheets(page, language);
    await page.getByRole('link', { name: /^(235|241) (points in total|puntos en total)/ }).click();
    await expect(page.getByRole('link', { name: /^(Longest swim|Más tiempo nadando)/ })).toBeVisible();
    await lookAtNarrowScreen(page, `recap-${language}`);
    await open(page, '/badges', language);
    await lookAtNarrowScreen(page, `badges-${language}`);
    await page.getByRole('button', { name: /^(First Activity|Primera actividad)/ }).click();
    await expect(page.getByRole('dialog')).toBeVisible();
    await look(page, `badge-${language}`);
  }

  // If the badges were copied after `passTime`, their copy would count as fresh.
  const badges_read = page.waitForResponse((reply) => reply.url().endsWith('/v1/badges'));
  await open(page, '/dashboard', 'en');
  await expect(ring(page, '235|241')).toBeVisible();
  await waitForWorker(page);
  await badges_read;
  await context.setOffline(true);
  await passTime(server, [dana, rex], 10);
  await page.reload();
  await expect(page.getByText(/^Last updated: 1\dm ago$/)).toBeVisible();
  await expect(ring(page, '235|241')).toBeVisible();
  await expect(page.getByRole('list', { name: 'Latest badges' }).getByRole('link')).toHaveCount(2);
  await page.getByRole('link', { name: `2 of ${BADGE_IDS.length}` }).click();
  await expect(page.getByText(/Last updated: 1\dm ago/)).toBeVisible();
  for (const athlete of [dana, rex]) await athlete.context.close();
});
