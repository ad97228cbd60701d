import { authorize, completeSignIn } from '@sendlap/contract/auth.ts';
import type { LightMyRequestResponse } from 'fastify';
import { expect } from 'vitest';
import type { Database } from '#api/database/database.ts';
import type { TestBrowser } from './browser.ts';
import { addCheapAccount } from './cheap-account.ts';

export const CALLBACK = 'http://localhost:8000/auth/callback';
export const PASSWORD = 'correct horse battery';

export interface Begun {
  authorization_url: string;
  code_verifier: string;
  state: string;
}

export const dataOf = (reply: LightMyRequestResponse) => reply.json().data;

export const refusalOf = (reply: LightMyRequestResponse) => [reply.statusCode, reply.json().code];

export function bearer(reply: LightMyRequestResponse) {
  return { headers: { authorization: `Bearer ${dataOf(reply).tokens.access_token}` } };
}

export async function begin(browser: TestBrowser, query: Record<string, string> = {}): Promise<Begun> {
  const search = new URLSearchParams({ redirect_uri: CALLBACK, use_pkce: 'true', ...query });
  const reply = await browser.request(`${authorize.path}?${search}`);
  expect(reply.statusCode).toBe(200);
  return dataOf(reply);
}

export function complete(browser: TestBrowser, json: object, headers: Record<string, string> = {}) {
  return browser.request(completeSignIn.path, { method: 'POST', json, headers });
}

/** Follows the authorization address to the first page of the own provider. */
export async function openPage(browser: TestBrowser, begun: Begun, headers: Record<string, string> = {}) {
  const redirect = await browser.request(begun.authorization_url, { headers });
  expect(redirect.statusCode).toBe(303);
  const path = String(redirect.headers.location);
  return { path, page: await browser.request(path, { headers }) };
}

/** Follows the own provider's redirects back to the app. Returns what the callback page reads from its address. */
export async function followBack(browser: TestBrowser, posted: LightMyRequestResponse) {
  expect(posted.statusCode).toBe(303);
  const resumed = await browser.request(String(posted.headers.location));
  expect(resumed.statusCode).toBe(303);
  return readCallback(String(resumed.headers.location));
}

export function readCallback(address: string) {
  const url = new URL(address);
  expect(url.origin + url.pathname).toBe(CALLBACK);
  return { code: url.searchParams.get('code') ?? '', state: url.searchParams.get('state') ?? '' };
}

/** Signs up a new account at the own provider; returns the callback's reply, whose request has `headers`. */
export async function signUp(browser: TestBrowser, email: string, headers: Record<string, string> = {}) {
  const begun = await begin(browser, { signup: 'true' });
  const { path } = await openPage(browser, begun);
  const form = { email, display_name: 'Ada L.', password: PASSWORD };
  const back = await followBack(browser, await browser.request(`${path}/sign-up`, { method: 'POST', form }));
  return complete(browser, { ...back, code_verifier: begun.code_verifier }, headers);
}

/**
 * Creates an account in the database and signs the browser in: on a server with mail, the form of a sign-up would only
 * send a link.
 */
export async function createAccountAndSignIn(
  database: Database,
  browser: TestBrowser,
  email: string,
): Promise<LightMyRequestResponse> {
  await addCheapAccount(database, { email, display_name: 'Ada L.', password: PASSWORD });
  const begun = await begin(browser);
  const { path } = await openPage(browser, begun);
  const form = { email, password: PASSWORD };
  const back = await followBack(browser, await browser.request(`${path}/sign-in`, { method: 'POST', form }));
  return complete(browser, { ...back, code_verifier: begun.code_verifier });
}
