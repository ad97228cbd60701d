import * as z from 'zod/mini';
import { issueResetLink, OPERATOR_LIFETIME_MS } from '#api/accounts/pages/password-resets.ts';
import { RESET_PATH } from '#api/accounts/pages/reset-views.ts';
import { interactionPath, MOUNT_PATH } from '#api/accounts/paths.ts';
import { REFRESH_COOKIE } from '#api/sessions/refresh-cookies.ts';
import { createAccount } from '../accounts.ts';
import { createBrowser, type TestBrowser } from '../app/browser.ts';
import { begin, openPage, PASSWORD } from '../app/sign-in.ts';
import type { MatrixWorld } from '../matrix/matrix-world.ts';
import { anyId, forAll } from '../matrix/rows.ts';
import type { Call, Row } from '../matrix/rules.ts';
import type { Target } from './requests.ts';

type Fields = Record<string, string>;

const text = () => z.optional(z.string());
const fields = (...names: string[]) => z.object(Object.fromEntries(names.map((name) => [name, text()])));

const page = (path: string, query: string[] = []): Target => ({
  method: 'GET',
  path,
  access: 'anyone',
  ...(path.includes(':uid') && { params: fields('uid') }),
  ...(query.length > 0 && { query: fields(...query) }),
});
const form = (path: string, names: string[]): Target => ({
  ...page(path),
  method: 'POST',
  body: fields(...names),
  is_form: true,
});

const ACCOUNT = ['email', 'password', 'display_name', 'ui_locales'];
const AUTHORIZATION = [
  ...['client_id', 'redirect_uri', 'response_type', 'scope', 'state', 'nonce', 'code_challenge'],
  ...['code_challenge_method', 'prompt', 'ui_locales', 'max_age', 'request', 'request_uri', 'claims', 'response_mode'],
];
const TOKEN = ['grant_type', 'code', 'redirect_uri', 'code_verifier', 'client_id', 'client_secret', 'client_assertion'];
const SITE = { origin: 'http://localhost:8000', 'sec-fetch-site': 'same-origin' };

const cookiesOf = ({ cookies }: TestBrowser) => [...cookies].map(([name, { value }]) => `${name}=${value}`).join('; ');

/** A sign-in under way in a browser of its own, with its cookies. */
async function interaction({ api }: MatrixWorld, body?: Fields): Promise<Call> {
  const browser = createBrowser(api.app);
  const { path } = await openPage(browser, await begin(browser));
  const uid = path.split('?')[0]?.split('/').at(-1) ?? '';
  return { params: { uid }, headers: { ...SITE, cookie: cookiesOf(browser) }, ...(body && { body }) };
}

async function account(world: MatrixWorld): Promise<Fields> {
  const made = { email: `${anyId()}@example.org`, password: PASSWORD };
  await createAccount(world.api, { ...made, name: 'Ada' });
  return made;
}

async function authorization({ api }: MatrixWorld): Promise<Call> {
  const { authorization_url } = await begin(createBrowser(api.app));
  return { query: Object.fromEntries(new URL(authorization_url).searchParams) };
}

/** The address to which a sign-in returns. */
async function signedIn(world: MatrixWorld): Promise<Call> {
  const browser = createBrowser(world.api.app);
  const { path } = await openPage(browser, await begin(browser));
  const reply = await browser.request(`${path}/sign-in`, { method: 'POST', form: await account(world) });
  const uid = String(reply.headers.location).split('?')[0]?.split('/').at(-1) ?? '';
  return { params: { uid }, headers: { cookie: cookiesOf(browser) } };
}

async function signedOut({ api }: MatrixWorld): Promise<Call> {
  const { refresh_token } = await api.signIn('Cleo');
  return { headers: { ...SITE, cookie: `${REFRESH_COOKIE}=${refresh_token}` }, body: { ui_locales: 'es' } };
}

/** Of an operator's link to a new password. */
async function resetToken(world: MatrixWorld): Promise<string> {
  const { database, url } = world.api;
  const { email = '' } = await account(world);
  const found = database.selectFrom('provider_accounts').select('id').where('email', '=', email);
  const { id } = await found.executeTakeFirstOrThrow();
  const { link } = await issueResetLink(database, {
    account_id: id,
    lifetime_ms: OPERATOR_LIFETIME_MS,
    public_url: url,
  });
  return new URL(link).searchParams.get('token') ?? '';
}

const NEW_PASSWORD = 'battery staple horse';
const INTERACTION = interactionPath(':uid');
const newAccount = () => ({ email: `${anyId()}@example.org`, password: PASSWORD, display_name: 'Ada' });

/** The pages and forms of the own identity provider, as a server without a mail server has them. Forms that send mails are not there. */
export const PAGE_ROWS: (Row & { endpoint: Target })[] = [
  forAll(page(`${MOUNT_PATH}/auth`, AUTHORIZATION), authorization),
  forAll(page(`${MOUNT_PATH}/auth/:uid`), signedIn),
  forAll(form(`${MOUNT_PATH}/token`, TOKEN)),
  forAll(page(`${MOUNT_PATH}/jwks`)),
  forAll(page(`${MOUNT_PATH}/.well-known/openid-configuration`)),
  forAll(page(INTERACTION), (world) => interaction(world)),
  forAll(page(`${INTERACTION}/sign-in`), (world) => interaction(world)),
  forAll(page(`${INTERACTION}/sign-up`), (world) => interaction(world)),
  forAll(form(`${INTERACTION}/sign-in`, ACCOUNT), async (world) => interaction(world, await account(world))),
  forAll(form(`${INTERACTION}/sign-up`, ACCOUNT), (world) => interaction(world, newAccount())),
  forAll(page(RESET_PATH, ['token', 'ui_locales']), async (world) => ({ query: { token: await resetToken(world) } })),
  forAll(form(RESET_PATH, ['token', 'password', 'ui_locales']), async (world) => ({
    headers: SITE,
    body: { token: await resetToken(world), password: NEW_PASSWORD },
  })),
  forAll(page(`${MOUNT_PATH}/sign-out`, ['ui_locales'])),
  forAll(form(`${MOUNT_PATH}/sign-out`, ['ui_locales']), signedOut),
];

export const isOfProvider = ({ path }: Pick<Target, 'path'>): boolean => path.startsWith(MOUNT_PATH);
