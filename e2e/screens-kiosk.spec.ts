import { test } from './browser/fixtures.ts';
import { findCenterId } from './people/athlete.ts';
import { openKiosk, openTablet } from './people/kiosk.ts';
import { POOL } from './people/swimming.ts';
import { LANGUAGES, lookAtScreen } from './screens/look.ts';

test('no screen of a kiosk has a barrier that axe knows, in both themes', async ({ browser, server }) => {
  for (const language of LANGUAGES) {
    const options = { locale: language };
    const unpaired = await openTablet(browser, server, options);
    await lookAtScreen(unpaired.page, `kiosk-pairing-${language}`);
    const { page, context } = await openKiosk(browser, server, await findCenterId(server, POOL), options);
    await lookAtScreen(page, `kiosk-${language}`);
    await page.setViewportSize({ width: 320, height: 640 });
    await lookAtScreen(page, `kiosk-small-${language}`);
    await page.goto('/kiosk/set-up');
    await lookAtScreen(page, `kiosk-set-up-${language}`);
    for (const tablet of [unpaired, { context }]) await tablet.context.close();
  }
});
