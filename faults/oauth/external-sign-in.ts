import { randomUUID } from 'node:crypto';
import { createBrowser } from './browser.ts';
import { type ForgingIssuer, type Respond, tokens } from './forging-issuer.ts';
import type { Answer } from './http.ts';
import { begin, CALLBACK } from './own-sign-in.ts';

export interface External {
  url: string;
  issuer: ForgingIssuer;
}

/** The values that the attacker knows when the code is exchanged. */
export interface Moment {
  nonce: string;
  code: string;
}

export interface Answers {
  token?: Respond;
  userinfo?: Respond;
}

/** Signs in at the external issuer, whose behaviour `answers` sets. */
export async function signInAt(
  { url, issuer }: External,
  answers: (moment: Moment) => Answers | Promise<Answers>,
  more: Record<string, string> = {},
): Promise<Answer> {
  const browser = createBrowser(url);
  const { authorization_url, state, code_verifier } = await begin(browser);
  const code = randomUUID();
  issuer.plan(code, await answers({ nonce: readNonce(authorization_url), code }));
  return browser.post(CALLBACK, { json: { code, state, code_verifier, ...more } });
}

export function readNonce(authorization_url: string): string {
  return new URL(authorization_url).searchParams.get('nonce') ?? '';
}

/** The honest path: the same user with a good token. */
export async function signsIn(external: External): Promise<boolean> {
  const { issuer } = external;
  const answer = await signInAt(external, ({ nonce, code }) => ({
    token: tokens(issuer.sign(issuer.claims(nonce)), code),
  }));
  return answer.status === 200;
}
