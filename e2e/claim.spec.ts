import { readFile } from 'node:fs/promises';
import { expect, type Page } from '@playwright/test';
import { openOperator } from '../apps/api/test/app/operator.ts';
import { type MailServer, partsOf, startMailServer } from '../apps/api/test/servers/mail-server.ts';
import { startWebSites, type WebSites } from '../apps/api/test/servers/web-sites.ts';
import { test as base } from './browser/fixtures.ts';
import { findCenterId, PASSWORD, passNight } from './people/athlete.ts';
import { lookAtScreen } from './screens/look.ts';
import type { Server } from './server/server.ts';

const POOL = 'La Cebada';

interface Outside {
  mails: MailServer;
  sites: WebSites;
}

/** The server sends its mail to `mails`, and reads the web sites of centers from `sites`. */
const test = base.extend<object, { outside: Outside }>({
  outside: [
    async ({ browserName: _ }, use) => {
      const outside = { mails: await startMailServer(), sites: await startWebSites() };
      await use(outside);
      await outside.sites.close();
      await outside.mails.close();
    },
    { scope: 'worker' },
  ],
  server_settings: ({ outside }, use) =>
    use({ SMTP_URL: outside.mails.url, MAIL_FROM: 'sendlap@server.example', PUSH_ALLOW_LOCAL: '1' }),
});

/** Stores the pool's web site, as an import does. */
async function putOnRecord(server: Server, center_id: string, url: string): Promise<void> {
  const { database, close } = await openOperator(server);
  await database.updateTable('sport_centers').set({ url }).where('id', '=', center_id).execute();
  await database.updateTable('sport_centers').set({ url_changed_at: null }).where('id', '=', center_id).execute();
  await close();
}

/** Ends the managers of the center, so that the next claim can be proved. */
async function endManagers(server: Server): Promise<void> {
  const { database, close } = await openOperator(server);
  await database.deleteFrom('managers').execute();
  await close();
}

/**
 * Opens the link that an athlete sent, and makes an account, whose mail is opened in a new tab. Returns that tab, which
 * went on where the first one was.
 */
async function openLink(
  page: Page,
  link: string,
  { name, mails, is_looked_at = false }: { name: string; mails: MailServer; is_looked_at?: boolean },
): Promise<Page> {
  const email = `${name.toLowerCase()}@example.org`;
  await page.goto(link);
  await expect(page.getByRole('heading', { level: 1 })).toContainText(POOL);
  await page.getByRole('button', { name: 'Create account' }).click();
  await page.getByLabel('E-mail').fill(email);
  await page.getByRole('button', { name: 'Send me the link' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Check your e-mail' })).toBeVisible();
  if (is_looked_at) await lookAtScreen(page, 'sign-up-sent');

  const tab = await page.context().newPage();
  await tab.goto(await readLink(mails, email));
  await expect(tab.getByRole('heading', { level: 1, name: 'Last step' })).toBeVisible();
  if (is_looked_at) await lookAtScreen(tab, 'sign-up-last-step');
  await tab.getByLabel('Display name').fill(name);
  await tab.getByLabel('Password').fill(PASSWORD);
  await tab.getByRole('button', { name: 'Create account' }).click();
  await expect(tab.getByRole('heading', { level: 1, name: 'I run this center' })).toBeVisible();
  return tab;
}

async function readLink(mails: MailServer, email: string): Promise<string> {
  const mail = mails.received.find(({ to }) => to.includes(email));
  if (!mail) throw new Error('no mail came');
  return /^http\S+\/confirm\?\S+$/m.exec((await partsOf(mail)).text)?.[0] ?? '';
}

async function readCode(mails: MailServer): Promise<string> {
  const mail = mails.received.at(-1);
  if (!mail) throw new Error('no mail came');
  return /^\d{4} \d{4}$/m.exec((await partsOf(mail)).text)?.[0] ?? '';
}

/** Saves the poster. Returns the size of its page and of its image, in points and in dots. */
async function savePoster(page: Page): Promise<{ page: string | undefined; image: string | undefined }> {
  await page.getByRole('link', { name: /^Poster for the entrance/ }).click();
  await expect(page.getByRole('img', { name: 'Preview of the poster' })).toBeVisible();
  const downloading = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Save as PDF' }).click();
  const download = await downloading;
  expect(download.suggestedFilename()).toBe('poster.pdf');
  const pdf = (await readFile(await download.path())).toString('latin1');
  expect(pdf.startsWith('%PDF-1.4\n')).toBe(true);
  // Far more than an empty page.
  expect(pdf.length).toBeGreaterThan(30_000);
  return { page: /\/MediaBox \[0 0 ([\d. ]+)\]/.exec(pdf)?.[1], image: /\/Width \d+ \/Height \d+/.exec(pdf)?.[0] };
}

test('staff of a center follow the link, prove it by mail or by a line on the site, and print the poster, without the operator', async ({
  browser,
  server,
  outside: { mails, sites },
}) => {
  const openPhone = async () => {
    const context = await browser.newContext({ baseURL: server.url, viewport: { width: 390, height: 844 } });
    await context.clock.install({ time: server.now() });
    return context.newPage();
  };
  await passNight(server);
  const center_id = await findCenterId(server, POOL);
  await putOnRecord(server, center_id, `http://localhost:${sites.port}/`);
  const link = `/sport-centers/${center_id}/claim`;

  const clara = await openLink(await openPhone(), link, { name: 'Clara', mails, is_looked_at: true });
  await clara.getByRole('textbox', { name: 'Mail address of the center' }).fill('info@localhost');
  await clara.getByRole('button', { name: 'Send the code' }).click();
  const code_field = clara.getByRole('textbox', { name: 'Code from the mail' });
  await expect(code_field).toBeVisible();
  await code_field.fill(await readCode(mails));
  await clara.getByRole('button', { name: 'Check the code' }).click();
  await expect(clara.getByRole('heading', { name: new RegExp(`^You manage .*${POOL}`) })).toBeVisible();
  expect(await savePoster(clara)).toEqual({ page: '595.28 841.89', image: '/Width 2480 /Height 3508' });

  await endManagers(server);
  const cleo = await openLink(await openPhone(), link, { name: 'Cleo', mails });
  await cleo.getByRole('button', { name: 'Show the line' }).click();
  sites.set('localhost', await cleo.getByText(/^sendlap-claim=/).innerText());
  await cleo.getByRole('button', { name: 'Check the website' }).click();
  await expect(cleo.getByRole('heading', { name: new RegExp(`^You manage .*${POOL}`) })).toBeVisible();
  await expect(cleo.getByRole('link', { name: /^Poster for the entrance/ })).toBeVisible();
  for (const page of [clara, cleo]) await page.context().close();
});
