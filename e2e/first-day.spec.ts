import { type BrowserContext, expect, type Page } from '@playwright/test';
import { hall, OverpassServer } from '../apps/api/test/servers/overpass-server.ts';
import { launchWithCamera } from './browser/camera.ts';
import { countTaps, type Taps } from './browser/count-taps.ts';
import { test } from './browser/fixtures.ts';
import { listInstallProblems, openProfile } from './browser/install.ts';
import { trustSwitch } from './browser/trust.ts';
import { type Athlete, fillSignUpForm, passNight, WITH_WORKER, waitForWorker } from './people/athlete.ts';
import { actAtKiosk, expectCode, passTimeAt } from './people/kiosk.ts';
import { POINTS_OF_45_MIN } from './people/swimming.ts';
import { declineWheneverAsked } from './people/welcome.ts';

const POOL = 'Piscina Serradells';
const [LATITUDE, LONGITUDE] = [42.5078, 1.5211];
const TAGS = { leisure: 'sports_centre', sport: 'swimming', name: POOL };

interface Device {
  context: BrowserContext;
  page: Page;
}

test('the first day of a club, without a second shell command: the guide notices which phone trusts the server, the operator on a laptop, a kiosk on a tablet, an athlete on a phone, points on the board', async ({
  launch,
  startWhole,
}) => {
  const overpass = await OverpassServer.start();
  overpass.elements = [{ ...hall(1, LATITUDE, LONGITUDE), tags: TAGS }, hall(2, LATITUDE + 0.01, LONGITUDE)];
  const server = await startWhole({ is_for_phones: true, env: { OVERPASS_URL: overpass.url } });
  const trust = await trustSwitch(new URL(server.url));
  const taps: Taps[] = [];
  try {
    const guide_url = server.url.replace('https:', 'http:');
    await expectDistrust(await (await launch()).newPage(), guide_url, server.url);
    await installByGuide(await openProfile([trust], WITH_WORKER), guide_url, server.url);

    const began_at = Date.now();
    await passNight(server);
    const camera = await launchWithCamera((args) => launch([...args, trust]));
    const room = await launch([trust]);
    const openDevice = async (browser: typeof room, width: number, height: number, permissions: string[] = []) => {
      const context = await browser.newContext({ baseURL: server.url, viewport: { width, height }, permissions });
      taps.push(await countTaps(context));
      await context.clock.install({ time: server.now() });
      const page = await context.newPage();
      await declineWheneverAsked(page);
      return { context, page };
    };

    const laptop = await openDevice(room, 1280, 800);
    await setUp(laptop, /https:\S+\/setup#\S+/.exec(server.log())?.[0] ?? '');
    const invite_url = await pairTablet(laptop);

    const tablet = await openDevice(room, 820, 1180);
    await tablet.page.goto(invite_url);
    await expectCode(tablet);
    await expect(tablet.page.getByRole('heading', { level: 1 })).toHaveText(POOL);
    await expect(tablet.page.getByText('Be the first!')).toBeVisible();
    await expect(laptop.page.getByText(/^Paired on/)).toBeVisible();

    const athlete = await joinByGuide(await openDevice(camera.browser, 390, 844, ['camera']), guide_url);
    await actAtKiosk(camera, athlete, tablet, 'Start swimming');
    await expect(athlete.page.getByText('Saved on the server')).toBeVisible();
    await passTimeAt([tablet], server, [athlete], 45);
    await actAtKiosk(camera, athlete, tablet, 'Finish');
    await expect(athlete.page).toHaveURL(/\/activities\//);
    // A code scanned a minute late proves nothing, and the tablet reads the board once a minute.
    await expect(athlete.page.getByText("Confirmed by the center's kiosk.")).toBeVisible();

    await passTimeAt([tablet], server, [athlete], 1);
    const board = tablet.page.getByRole('list', { name: "This week's board" });
    await expect(board.getByText('Bea')).toBeVisible();
    await expect(board.getByText(POINTS_OF_45_MIN)).toBeVisible();
    const seconds = Math.round((Date.now() - began_at) / 1000);
    const tap_count = taps.reduce((sum, { count }) => sum + count, 0);
    test.info().annotations.push({ type: 'first day', description: `${tap_count} taps, ${seconds} s` });
  } finally {
    await server.remove();
    await overpass.close();
  }
});

/** A device that does not trust the server cannot open the app; the guide says what to do. */
async function expectDistrust(page: Page, guide_url: string, app_url: string): Promise<void> {
  await page.goto(guide_url);
  await expect(page.getByText('This device does not trust the server yet.')).toBeVisible();
  await expect(page.getByRole('link', { name: 'Download the certificate' })).toBeVisible();
  await expect(page.goto(app_url)).rejects.toThrow('ERR_CERT_AUTHORITY_INVALID');
}

/** A device that trusts the server goes on to the app, which can be installed and starts without signal. */
async function installByGuide(context: BrowserContext, guide_url: string, app_url: string): Promise<void> {
  const page = await context.newPage();
  await page.goto(guide_url);
  await expect(page.getByText('This device trusts the server.')).toBeVisible();
  await page.getByRole('link', { name: 'Open Sendlap' }).click();
  await expect(page).toHaveURL(`${app_url}/login`);
  await waitForWorker(page);
  expect(await listInstallProblems(page)).toEqual([]);
  await context.setOffline(true);
  await page.reload();
  await expect(page.getByRole('button', { name: 'Sign in', exact: true })).toBeVisible();
  await context.close();
}

/** Makes the operator's account, names the server, chooses its town and loads the town's sport centers. */
async function setUp({ page }: Device, setup_url: string): Promise<void> {
  await page.goto(setup_url);
  await page.getByRole('button', { name: 'Create account' }).click();
  await fillSignUpForm(page, 'Olga');
  await expect(page.getByRole('heading', { level: 1, name: 'Set up this server' })).toBeVisible();
  await page.getByRole('button', { name: 'Become the operator' }).click();
  await page.getByRole('textbox', { name: 'Name of this server' }).fill('Club Andorra');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('textbox', { name: 'Your town' }).fill('andorra la');
  await page.getByRole('button', { name: /^Choose Andorra la Vella/ }).click();
  await page.getByRole('button', { name: 'Load the sport centers of Andorra la Vella' }).click();
  await expect(page.getByText('2 new centers')).toBeVisible();
  await page.getByRole('link', { name: 'See them on the map' }).click();
}

/** Makes a code for the pool's tablet. Returns the address in its QR code. */
async function pairTablet({ page }: Device): Promise<string> {
  // A search knows new centers within some seconds.
  const pool = page.getByRole('main').getByRole('link', { name: new RegExp(POOL) });
  await expect(async () => {
    await page.reload();
    await expect(pool).toBeVisible({ timeout: 10_000 });
  }).toPass({ timeout: 60_000 });
  await pool.click();
  await page.getByRole('link', { name: /^Manage this center/ }).click();
  await page.getByRole('button', { name: 'Pair a tablet' }).click();
  const code = await page.getByText(/^([a-z\d]{4}-){2}[a-z\d]{4}$/).innerText();
  return `/kiosk#${code}`;
}

/** Opens the guide, whose address the set-up shows as a QR code, then the app, and signs up. */
async function joinByGuide({ context, page }: Device, guide_url: string): Promise<Athlete> {
  await page.goto(guide_url);
  await expect(page.getByText('This device trusts the server.')).toBeVisible();
  await page.getByRole('link', { name: 'Open Sendlap' }).click();
  await expect(page.getByText('· Club Andorra')).toBeVisible();
  await page.getByRole('button', { name: 'Create account' }).click();
  const email = await fillSignUpForm(page, 'Bea');
  await expect(page).toHaveURL(/\/dashboard$/);
  return { name: 'Bea', email, context, page };
}
