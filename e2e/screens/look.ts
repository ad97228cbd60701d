import { expect, type Page } from '@playwright/test';
import axe from 'axe-core';
import { IS_THOROUGH, PICTURES } from '../browser/sights.ts';
import { checkLayoutShiftOnLoad, lookAtEveryWidth } from './every-look.ts';

export type Language = 'en' | 'es';

/** Barriers do not depend on the language, so Spanish is enough, which has the longer words. */
export const LANGUAGES: Language[] = IS_THOROUGH ? ['es', 'en'] : ['es'];

/** The axe rules for the second theme, which differs only in its colours. */
export const COLOUR_RULES = ['color-contrast', 'link-in-text-block'];

/**
 * Expects that axe finds no barrier in one theme, by chance of the name, in a thorough look in the other theme too.
 * `styles.test.ts` measures the contrasts of both.
 */
export async function look(page: Page, name: string): Promise<void> {
  const is_dark = [...name].reduce((sum, letter) => sum + letter.charCodeAt(0), 0) % 2 === 0;
  const [first, second] = is_dark ? (['dark', 'light'] as const) : (['light', 'dark'] as const);
  await page.emulateMedia({ colorScheme: first });
  await lookInTheme(page, `${name}-${first}`);
  if (!IS_THOROUGH) return;
  await page.emulateMedia({ colorScheme: second });
  await lookInTheme(page, `${name}-${second}`, COLOUR_RULES);
  await lookAtEveryWidth(page, name);
}

/** As `look`, for a whole screen: once its heading is shown and nothing is loading. */
export async function lookAtScreen(page: Page, name: string): Promise<void> {
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(page.getByRole('status', { name: /^(Loading|Cargando)$/ })).toHaveCount(0);
  await look(page, name);
  if (IS_THOROUGH) await checkLayoutShiftOnLoad(page, name);
}

async function lookInTheme(page: Page, name: string, rules?: string[]): Promise<void> {
  expect(await checkTheme(page, name, rules), name).toEqual([]);
}

/** Returns the barriers that axe finds in the page's theme, all or those of `rules`, once all motion has ended. */
export async function checkTheme(page: Page, name: string, rules?: string[]): Promise<string[]> {
  // Contrast is measured, and the picture taken, once all motion has ended.
  await expect.poll(() => page.evaluate(countMotions), { intervals: [50] }).toBe(0);
  if (IS_THOROUGH) await page.screenshot({ path: `${PICTURES}/${name}.png` });
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axe.source);
  return page.evaluate(findBarriers, rules);
}

/** Counts motions that will end, without endless ones. Runs in the page. */
function countMotions(): number {
  const motions = document.getAnimations().filter(({ playState }) => playState === 'running');
  return motions.filter(({ effect }) => Number.isFinite(effect?.getComputedTiming().endTime)).length;
}

/** Returns each broken rule with the elements that break it. Runs in the page. */
async function findBarriers(rules: string[] | undefined): Promise<string[]> {
  const { axe } = globalThis as unknown as { axe: typeof import('axe-core') };
  const { violations } = await axe.run(document, {
    resultTypes: ['violations'],
    // No rule that is on by default reads the style sheets that axe would load.
    preload: false,
    ...(rules && { runOnly: { type: 'rule', values: rules } }),
  });
  return violations.map(({ id, nodes }) => `${id} ${nodes.map((node) => node.html).join(' ')}`);
}

/** The next address that the page opens is in this language. */
export async function chooseLanguage(page: Page, language: Language): Promise<void> {
  await page.evaluate((choice) => localStorage.setItem('preferred-language', choice), language);
}
