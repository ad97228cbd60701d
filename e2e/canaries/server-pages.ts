import { pollUntil } from '../../apps/api/test/delays.ts';
import { partsOf } from '../../apps/api/test/servers/mail-server.ts';
import { authorize } from '../../packages/contract/src/auth.ts';
import { openContext, type Scene, UNGUARDED } from './scene.ts';
import type { Walk } from './walk.ts';
import { type WatchedPage, watchPage } from './watch.ts';

const WHO = 'visitor';
const MAIL_PATIENCE_MS = 15_000;
/** Each of them shows a part of its address, or only says that it is wrong. */
const ECHOING_PATHS = ['/oidc/forgot', '/oidc/reset', '/oidc/sign-out', '/oidc/auth', '/oidc/interaction/none/confirm'];
const PARAMETERS = ['token', 'ui_locales', 'error', 'error_description', 'state', 'client_id'];

/**
 * The server writes the pages of sign-in, sign-up and reset itself, without the app. They repeat typed texts. Each payload
 * is typed into each form, and sent as every parameter of one of their addresses.
 */
export async function walkServerPages(scene: Scene): Promise<Walk> {
  const { server, canaries } = scene;
  const context = await openContext(scene, UNGUARDED);
  const watched = await watchPage(context, server.url, WHO);
  const walk: Walk = { findings: watched.findings, blind: [], screens: 0, parts: 0 };
  const type = async (form: string, path: string, field: string, nth: number) => {
    await watched.open(path);
    await send(watched, field, canaries.make('typed text', nth));
    walk.screens += 1;
    if (!canaries.noteShown(await watched.inspect()).has('typed text')) walk.blind.push(`${form} ${nth} shows no text`);
  };
  const link = await askForLink(scene, watched);
  for (let nth = 0; nth < canaries.count; nth += 1) {
    await type('the form of sign-up', await openSignUp(scene), 'email', nth);
    await type('the form of a new password', '/oidc/forgot', 'email', nth);
    await type('the mailed link', link, 'display_name', nth);
    const path = ECHOING_PATHS[nth % ECHOING_PATHS.length] ?? '';
    const query = new URLSearchParams(PARAMETERS.map((name) => [name, canaries.make('address', nth)]));
    await watched.open(`${path}?${query}`);
    await watched.inspect();
    walk.screens += 1;
  }
  await context.close();
  return walk;
}

/** Returns the path of a sign-up's form. */
async function openSignUp({ server }: Scene): Promise<string> {
  const query = new URLSearchParams({ redirect_uri: `${server.url}/auth/callback`, signup: 'true' });
  const reply = await fetch(`${server.url}${authorize.path}?${query}`);
  const { data } = (await reply.json()) as { data: { authorization_url: string } };
  return data.authorization_url.slice(new URL(data.authorization_url).origin.length);
}

/** Types a text and sends the form. */
async function send({ page }: WatchedPage, field: string, text: string): Promise<void> {
  const input = page.locator(`input[name=${field}]`);
  // A browser changes a text in a field for e-mails.
  await input.evaluate((element: HTMLInputElement) => {
    element.type = 'text';
  });
  await input.fill(text);
  await Promise.all([
    page.waitForResponse((reply) => reply.request().method() === 'POST'),
    page.locator('form button[type=submit]').first().click(),
  ]);
  await page.locator('h1').first().waitFor();
}

/** Signs a new user up until the mail. Returns the path of the link in it. */
async function askForLink(scene: Scene, watched: WatchedPage): Promise<string> {
  const count = scene.mail.received.length;
  await watched.open(await openSignUp(scene));
  await send(watched, 'email', 'server-pages@example.org');
  await pollUntil(async () => scene.mail.received.length > count, { patience_ms: MAIL_PATIENCE_MS, interval_ms: 100 });
  const mail = scene.mail.received.at(count);
  const link = /^http\S+\/confirm\?\S+$/m.exec(mail ? (await partsOf(mail)).text : '')?.[0];
  if (!link) throw new Error('no mail with a link came');
  return link.slice(scene.server.url.length);
}
