import { randomUUID } from 'node:crypto';
import { type Browser, createBrowser } from './browser.ts';
import type { Answer } from './http.ts';

export const AUTHORIZE = '/v1/auth/oauth/authorize/cognito';
export const CALLBACK = '/v1/auth/oauth/callback/cognito';
export const SIGN_IN_COOKIE = '__Host-sendlap_sign_in';
export const REFRESH_COOKIE = '__Host-sendlap_refresh';

export interface Begun {
  authorization_url: string;
  code_verifier: string;
  state: string;
}

/** The values that the callback page reads from its address and sends on. */
export interface Back {
  code: string;
  state: string;
  code_verifier: string;
}

export interface Person {
  email: string;
  password: string;
}

/** Starts a sign-in by the app's own call, at whichever provider the server has. */
export async function begin(browser: Browser, query: Record<string, string> = {}): Promise<Begun> {
  const search = new URLSearchParams({ redirect_uri: `${browser.url}/auth/callback`, use_pkce: 'true', ...query });
  const answer = await browser.get(`${AUTHORIZE}?${search}`);
  if (answer.status !== 200) throw new Error(`authorize answered ${answer.status} ${answer.body}`);
  return answer.data as unknown as Begun;
}

/** Returns the page on which the own provider asks for e-mail and password. */
export async function openForm(browser: Browser, { authorization_url }: Begun): Promise<string> {
  const { status, location, body } = await browser.get(authorization_url);
  if (status !== 303 || !location?.startsWith('/oidc/interaction/')) throw new Error(`no form: ${status} ${body}`);
  return location;
}

export function submit(browser: Browser, form_path: string, { email, password }: Person): Promise<Answer> {
  return browser.post(`${form_path}/sign-in`, { form: { email, password } });
}

/** Goes through the own provider and back, as far as the callback page. */
export async function walk(browser: Browser, begun: Begun, person: Person): Promise<Back> {
  return resume(browser, begun, await submit(browser, await openForm(browser, begun), person));
}

async function resume(browser: Browser, { code_verifier }: Begun, submitted: Answer): Promise<Back> {
  const resumed = await browser.get(submitted.location ?? '');
  const address = new URL(resumed.location ?? '', browser.url);
  const [code, state] = [address.searchParams.get('code'), address.searchParams.get('state')];
  if (!code || !state) throw new Error(`the provider did not send the browser back: ${submitted.body}${resumed.body}`);
  return { code, state, code_verifier };
}

/** Creates an account at the own provider, with a session in a browser of its own. */
export async function signUp(url: string): Promise<{ browser: Browser; person: Person; access_token: string }> {
  const browser = createBrowser(url);
  const person = { email: `${randomUUID()}@example.org`, password: 'chalk and water 26' };
  const begun = await begin(browser, { signup: 'true' });
  const form = { ...person, display_name: 'Ada' };
  const submitted = await browser.post(`${await openForm(browser, begun)}/sign-up`, { form });
  const answer = await browser.post(CALLBACK, { json: await resume(browser, begun, submitted) });
  if (answer.status !== 200) throw new Error(`sign-up answered ${answer.status} ${answer.body}`);
  const { access_token } = answer.data.tokens as { access_token: string };
  return { browser, person, access_token };
}
