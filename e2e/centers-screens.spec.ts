import { expect, type Page } from '@playwright/test';
import { test } from './browser/fixtures.ts';
import { openCenter, signUp } from './people/athlete.ts';
import { POOL } from './people/swimming.ts';
import { MADRID, openCenters, searchField, settled, townOptions } from './screens/centers.ts';
import { expectNoOverflow } from './screens/layout.ts';
import { chooseLanguage, LANGUAGES, look, lookAtScreen } from './screens/look.ts';

function failWith(code: number): void {
  navigator.permissions.query = async () => ({ state: code === 1 ? 'denied' : 'prompt' }) as PermissionStatus;
  navigator.geolocation.getCurrentPosition = (_, fail) => {
    fail?.({ code, message: '' } as GeolocationPositionError);
  };
}

async function lookAtLocationSheets(page: Page, language: string): Promise<void> {
  const locate = page.getByRole('button', { name: /^(Show where I am|Mostrar dónde estoy)$/ });
  for (const [name, code] of Object.entries({ denied: 1, unavailable: 2, timeout: 3 })) {
    await page.evaluate(failWith, code);
    await locate.click();
    if (code !== 1) {
      if (code === 2) await look(page, `location-ask-${language}`);
      await page.getByRole('button', { name: /^(Use my position|Usar mi posición)$/ }).click();
    }
    await expect(page.getByRole('dialog').getByRole('alert')).toBeVisible();
    await look(page, `location-${name}-${language}`);
    await page.keyboard.press('Escape');
    await expect(page.getByRole('dialog')).toHaveCount(0);
  }
}

async function lookAtSavedCities(page: Page, language: string): Promise<void> {
  await page.getByRole('button', { name: /^(Save offline|Descargar)$/ }).click();
  const sheet = page.getByRole('dialog');
  await expect(sheet.getByText(/\d [kM]?B$/).first()).toBeVisible();
  await look(page, `saved-cities-new-${language}`);
  await expectNoOverflow(page, 'saved cities');
  await sheet.getByRole('button', { name: /^(Save on this device|Guardar en este dispositivo)$/ }).click();
  // The list shows it once it is saved.
  await expect(sheet.getByRole('region').getByRole('listitem').first()).toBeVisible({ timeout: 60_000 });
  await expect(sheet.getByRole('progressbar')).toHaveCount(0);
  await look(page, `saved-cities-${language}`);
  await page.keyboard.press('Escape');
}

/** Visits a center before and after the athlete starts to swim there. */
async function lookAtCenter(page: Page, language: string): Promise<void> {
  await openCenter(page, POOL);
  const center = page.url();
  await expect(page.getByRole('link', { name: /^(Directions|Cómo llegar)$/ })).toBeVisible();
  await look(page, `center-${language}`);
  await expectNoOverflow(page, 'center');
  await page.getByRole('button', { name: /Start swimming|Empezar a nadar/ }).click();
  await expect(page).toHaveURL(/\/activities\//);
  await page.goto(center);
  await lookAtScreen(page, `center-running-${language}`);
}

for (const language of LANGUAGES) {
  test(`search, towns, saved cities, location and a center have no barrier that axe knows, and at 320 px or with text of 200 % nothing of them is wider than the screen, in ${language}`, async ({
    browser,
    server,
  }) => {
    const { page, context } = await signUp(browser, server, 'Axe', MADRID);
    await chooseLanguage(page, language);
    await openCenters(page);
    await lookAtScreen(page, `centers-${language}`);
    await expectNoOverflow(page, 'list');
    await lookAtLocationSheets(page, language);
    await searchField(page).fill('Londres');
    await expect(townOptions(page).first()).toBeVisible();
    await look(page, `centers-towns-${language}`);
    await expectNoOverflow(page, 'suggestions');
    await townOptions(page).first().click();
    await settled(page);
    await lookAtSavedCities(page, language);
    await lookAtCenter(page, language);
    await context.close();
  });
}
