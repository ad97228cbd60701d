import { expect, type Page } from '@playwright/test';
import { test } from './browser/fixtures.ts';
import { signUp } from './people/athlete.ts';
import { openPool } from './people/swimming.ts';

const SIZES = [
  { width: 320, height: 700 },
  { width: 390, height: 844 },
  { width: 1280, height: 800 },
];

/** The controls that appear last on a screen. */
const LAST_CONTROLS: Record<string, { role: 'button' | 'switch'; name: string }> = {
  '/sport-centers': { role: 'button', name: 'Show where I am' },
  '/leaderboards': { role: 'switch', name: 'Show me on boards' },
};

/** Returns the names of the controls beneath the chat button, once the page is scrolled to its end. */
async function findCovered(page: Page): Promise<string[]> {
  const launcher = page.getByRole('button', { name: 'Open chats' });
  await expect(launcher).toBeVisible();
  return launcher.evaluate((button) => {
    scrollTo(0, document.documentElement.scrollHeight);
    const { left, top, width, height } = button.getBoundingClientRect();
    const covered = new Set<Element>();
    for (let column = 1; column < 10; column += 1) {
      for (let row = 1; row < 10; row += 1) {
        for (const element of document.elementsFromPoint(left + (width * column) / 10, top + (height * row) / 10)) {
          const control = element.closest('main :is(a, button, label, input, select)');
          if (control) covered.add(control);
        }
      }
    }
    return [...covered].map((control) => control.getAttribute('aria-label') ?? control.textContent);
  });
}

test('the chat button covers no control of any screen at 320, 390 and 1280 px, and being offline pushes none of the map out of sight', async ({
  browser,
  server,
}) => {
  const athlete = await signUp(browser, server, 'Ana');
  const { page, context } = athlete;
  await openPool(athlete, server);
  const center = new URL(page.url()).pathname;
  await page.getByRole('button', { name: 'Start swimming' }).click();
  await expect(page).toHaveURL(/\/activities\//);
  const activity = new URL(page.url()).pathname;
  for (const size of SIZES) {
    await page.setViewportSize(size);
    for (const path of ['/dashboard', '/sport-centers', center, activity, '/leaderboards', '/profile', '/friends']) {
      await page.goto(path);
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
      const last = LAST_CONTROLS[path];
      if (last) await expect(page.getByRole(last.role, { name: last.name })).toBeVisible();
      expect(await findCovered(page), `${path} at ${size.width} px`).toEqual([]);
    }
  }
  // The offline bar takes its room from the map: the last of its buttons stays visible.
  await page.goto('/sport-centers');
  await expect(page.getByRole('button', { name: 'Show where I am' })).toBeInViewport({ ratio: 1 });
  await context.setOffline(true);
  await expect(page.getByText(/^You're offline/).first()).toBeVisible();
  await expect(page.getByRole('button', { name: 'Show where I am' })).toBeInViewport({ ratio: 1 });
  await context.close();
});
