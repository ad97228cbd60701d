import { expect, type Page } from '@playwright/test';
import { signUp, WITH_WORKER, waitForWorker } from './athlete.ts';
import { test } from './fixtures.ts';
import { type Language, LOOKS, look } from './look.ts';

const TITLES: Record<Language, string[]> = {
  en: [
    'Welcome to Sendlap',
    'Skills radar',
    'Activity history',
    'Sport centers',
    'Leaderboards',
    'Friends and chat',
    'Profile',
    'Ready when you are',
  ],
  es: [
    'Te damos la bienvenida a Sendlap',
    'Radar de habilidades',
    'Historial de actividades',
    'Centros deportivos',
    'Clasificaciones',
    'Amigos y chat',
    'Perfil',
    'Todo listo',
  ],
};

/** The step that stands there; nothing else can be reached meanwhile. */
const step = (page: Page, title: string) => page.getByRole('dialog', { name: title });

/** Hears of everything that the content security policy refuses from here on. */
async function listenForRefusals(page: Page): Promise<() => Promise<string[]>> {
  await page.evaluate(() => {
    const heard: string[] = [];
    Object.assign(globalThis, { heard });
    addEventListener('securitypolicyviolation', (event) => heard.push(event.violatedDirective));
  });
  return () => page.evaluate(() => (globalThis as unknown as { heard: string[] }).heard);
}

for (const [language, theme] of LOOKS) {
  test(`the whole tour goes by keyboard, in ${language} and ${theme} [spec 1.tour.guided, 2.tour.welcome, 2.tour.skills-radar, 2.tour.history, 2.tour.sport-centers, 2.tour.leaderboards, 2.tour.chat, 2.tour.profile, 2.tour.final]`, async ({
    browser,
    server,
  }) => {
    const { page, context } = await signUp(browser, server, 'Tove', { colorScheme: theme });
    await page.evaluate((choice) => localStorage.setItem('preferred-language', choice), language);
    await page.reload();
    const refusals = await listenForRefusals(page);
    const [offer, begin] =
      language === 'en' ? ['New here?', 'Show me around'] : ['¿Es tu primera vez aquí?', 'Empezar la visita'];
    await expect(page.getByRole('region', { name: offer })).toBeVisible();
    await page.getByRole('button', { name: begin }).focus();
    await page.keyboard.press('Enter');
    for (const [index, title] of TITLES[language].entries()) {
      await expect(step(page, title)).toBeVisible();
      await expect(step(page, title)).toContainText(language === 'en' ? `${index + 1} of 8` : `${index + 1} de 8`);
      await look(page, `tour-${index + 1}-${language}-${theme}`);
      if (index === 0) await stayInside(page);
      if (index < 7) await page.keyboard.press('ArrowRight');
    }
    await page.keyboard.press('ArrowLeft');
    await expect(step(page, TITLES[language][6] ?? '')).toBeVisible();
    await page.keyboard.press('ArrowRight');
    await expect(step(page, TITLES[language][7] ?? '')).toBeVisible();
    await page.keyboard.press('Enter');
    await expect(page.getByRole('dialog')).toHaveCount(0);
    await expect(page.getByRole('region', { name: offer })).toHaveCount(0);
    expect(await refusals()).toEqual([]);
    await page.reload();
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await expect(page.getByRole('button', { name: begin })).toHaveCount(0);
    await context.close();
  });
}

/** However often somebody goes on with Tab, they stay in the dialog. */
async function stayInside(page: Page): Promise<void> {
  await expect(page.getByRole('dialog').getByRole('button').first()).toBeVisible();
  for (let presses = 0; presses < 5; presses += 1) {
    await page.keyboard.press('Tab');
    expect(await page.evaluate(() => document.activeElement?.closest('[role=dialog]') !== null)).toBe(true);
  }
}

test('who leaves the tour goes on at that step, also after a reload without network and from the profile from the start', async ({
  browser,
  server,
}) => {
  const { page, context } = await signUp(browser, server, 'Tilde', {
    ...WITH_WORKER,
    viewport: { width: 320, height: 568 },
    reducedMotion: 'reduce',
  });
  await waitForWorker(page);
  await context.setOffline(true);
  await page.getByRole('button', { name: 'Show me around' }).click();
  await expect(step(page, 'Welcome to Sendlap')).toBeVisible();
  await page.getByRole('button', { name: 'Next' }).click();
  await expect(step(page, 'Skills radar')).toBeVisible();
  // Somebody new has no history to point at, and the step of it keeps nobody: two keys lead past it.
  for (const key of ['ArrowRight', 'ArrowRight']) await page.keyboard.press(key);
  await expect(step(page, 'Sport centers')).toBeVisible();
  await page.keyboard.press('ArrowLeft');
  await expect(step(page, 'Activity history')).toBeVisible();
  await page.getByRole('button', { name: 'Leave the tour' }).click();
  await expect(page.getByRole('dialog')).toHaveCount(0);

  await page.reload();
  await expect(page.getByText('You left it at step 3 of 8.')).toBeVisible();
  await page.getByRole('button', { name: 'Go on', exact: true }).click();
  await expect(step(page, 'Activity history')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await page.getByRole('button', { name: 'No, thanks' }).click();
  await expect(page.getByRole('button', { name: 'Go on', exact: true })).toHaveCount(0);

  await page.getByRole('link', { name: 'Profile' }).click();
  await page.getByRole('link', { name: /^Guided tour/ }).click();
  await expect(step(page, 'Welcome to Sendlap')).toBeVisible();
  await expect(page).toHaveURL(/\/dashboard$/);
  const width = await page.evaluate(() => document.documentElement.scrollWidth);
  expect(width).toBe(320);
  await context.close();
});
