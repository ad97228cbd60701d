import AxeBuilder from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';

export type Language = 'en' | 'es';
export type Theme = 'light' | 'dark';

/** Where the pictures go that a person looks at. */
const PICTURES = '.cache/screens';

/**
 * In which language and theme every screen is looked at. Contrast knows no language and words know no theme: two of
 * the four show both of each. SCREENS=all takes all four, for pictures.
 */
export const LOOKS: [Language, Theme][] = [
  ['en', 'light'],
  ['es', 'dark'],
];
if (process.env.SCREENS === 'all') LOOKS.push(['en', 'dark'], ['es', 'light']);

/** Takes a picture of what stands there and looks for barriers that axe knows: there is none. */
export async function look(page: Page, name: string): Promise<void> {
  // Contrast is measured, and the picture taken, when everything has come to rest.
  await expect.poll(() => page.evaluate(countMotions)).toBe(0);
  await page.screenshot({ path: `${PICTURES}/${name}.png` });
  const { violations } = await new AxeBuilder({ page }).analyze();
  expect(violations.map(({ id, nodes }) => `${name}: ${id} ${nodes.map((node) => node.html).join(' ')}`)).toEqual([]);
}

/** How much still moves that will come to rest: what turns for ever does not count. Runs in the page. */
function countMotions(): number {
  const motions = document.getAnimations().filter(({ playState }) => playState === 'running');
  return motions.filter(({ effect }) => Number.isFinite(effect?.getComputedTiming().endTime)).length;
}

/** Like `look`, for a whole screen: once its heading stands there and nothing is loading. */
export async function lookAtScreen(page: Page, name: string): Promise<void> {
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(page.getByRole('status', { name: /^(Loading|Cargando)$/ })).toHaveCount(0);
  await look(page, name);
}

/** The next address that the page opens is in this language. */
export async function chooseLanguage(page: Page, language: Language): Promise<void> {
  await page.evaluate((choice) => localStorage.setItem('preferred-language', choice), language);
}
