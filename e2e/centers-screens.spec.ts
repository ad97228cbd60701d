import { expect, type Page } from '@playwright/test';
import { openCenter, signUp } from './athlete.ts';
import { MADRID, openCenters, searchField, settled, townOptions } from './centers.ts';
import { test } from './fixtures.ts';
import { LOOKS, look } from './look.ts';

function failWith(code: number): void {
  navigator.permissions.query = async () => ({ state: code === 1 ? 'denied' : 'prompt' }) as PermissionStatus;
  navigator.geolocation.getCurrentPosition = (_, fail) => {
    fail?.({ code, message: '' } as GeolocationPositionError);
  };
}

async function lookAtLocationSheets(page: Page, ending: string): Promise<void> {
  const locate = page.getByRole('button', { name: /^(Show where I am|Mostrar dónde estoy)$/ });
  for (const [name, code] of Object.entries({ denied: 1, unavailable: 2, timeout: 3 })) {
    await page.evaluate(failWith, code);
    await locate.click();
    if (code !== 1) {
      if (code === 2) await look(page, `location-ask-${ending}`);
      await page.getByRole('button', { name: /^(Use my position|Usar mi posición)$/ }).click();
    }
    await expect(page.getByRole('dialog').getByRole('alert')).toBeVisible();
    await look(page, `location-${name}-${ending}`);
    await page.keyboard.press('Escape');
    await expect(page.getByRole('dialog')).toHaveCount(0);
  }
}

for (const [language, theme] of LOOKS) {
  test(`search, towns, saved cities, location and a center have no barrier that axe knows, in ${language} and ${theme}`, async ({
    browser,
    server,
  }) => {
    const ending = `${language}-${theme}`;
    const { page, context } = await signUp(browser, server, 'Axe', { ...MADRID, colorScheme: theme });
    await page.evaluate((choice) => localStorage.setItem('preferred-language', choice), language);
    await openCenters(page);
    await lookAtLocationSheets(page, ending);
    await searchField(page).fill('Londres');
    await expect(townOptions(page).first()).toBeVisible();
    await look(page, `centers-towns-${ending}`);
    await townOptions(page).first().click();
    await settled(page);
    await page.getByRole('button', { name: /^(Save offline|Descargar)$/ }).click();
    const sheet = page.getByRole('dialog');
    await expect(sheet.getByText(/\d [kM]?B$/).first()).toBeVisible();
    await look(page, `saved-cities-new-${ending}`);
    await sheet.getByRole('button', { name: /^(Save on this device|Guardar en este dispositivo)$/ }).click();
    // It is listed once it is saved.
    await expect(sheet.getByRole('region').getByRole('listitem').first()).toBeVisible({ timeout: 60_000 });
    await expect(sheet.getByRole('progressbar')).toHaveCount(0);
    await look(page, `saved-cities-${ending}`);
    await page.keyboard.press('Escape');
    await openCenter(page, 'Centro Deportivo Municipal La Cebada');
    await look(page, `center-${ending}`);
    await context.close();
  });
}
