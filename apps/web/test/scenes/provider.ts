import { authorize, completeSignIn, getMe, refresh } from '@sendlap/contract/auth.ts';
import type { User } from '@sendlap/contract/users.ts';
import { screen, waitFor } from '@testing-library/dom';
import { expect } from 'vitest';
import { type FakeServer, Refusal } from '../models/fake-server.ts';
import { tokensOf } from '../models/signed-in.ts';
import type { Phone } from '../open-app.ts';

const ADDRESS = 'https://provider.test/authorize';
const SIGN_IN = { state: 'state-1', code_verifier: 'verifier-1' };
const CODE = 'code-1';
const NEW_TAB_CODE = 'code-2';

/**
 * Ends the session; from now on the provider signs this person in, into `session_id` if given. The person's other calls
 * need handlers of their own.
 */
export function answerProvider(server: FakeServer, person: User, session_id?: string): void {
  server.refuse(refresh, 'refresh_invalid');
  server.refuse(getMe, 'unauthenticated');
  server.on(authorize, () => ({ authorization_url: ADDRESS, ...SIGN_IN }));
  server.on(completeSignIn, ({ body }) => {
    const expected = body.code === NEW_TAB_CODE ? undefined : SIGN_IN.code_verifier;
    if (![CODE, NEW_TAB_CODE].includes(body.code) || body.code_verifier !== expected)
      throw new Refusal('validation_failed');
    server.on(refresh, () => tokensOf(person, session_id));
    server.on(getMe, () => ({ user: person }));
    return { user: person, tokens: tokensOf(person, session_id) };
  });
}

/**
 * Leaves the sign-in page for a new account and returns in a new tab, as by the link of a mail. The tab has a session
 * storage of its own, and so no verifier.
 */
export async function signUpIntoNewTab(phone: Phone): Promise<void> {
  await phone.user.click(await screen.findByRole('button', { name: 'Create account' }));
  await waitFor(() => expect(phone.departures.list).toContain(ADDRESS));
  phone.departures.list.length = 0;
  sessionStorage.clear();
  await phone.reload(`/auth/callback?code=${NEW_TAB_CODE}&state=${SIGN_IN.state}`);
}

/** Leaves the sign-in page for the provider and returns from it. */
export async function signInByProvider(phone: Phone): Promise<void> {
  await phone.user.click(await screen.findByRole('button', { name: 'Sign in' }));
  await waitFor(() => expect(phone.departures.list).toContain(ADDRESS));
  phone.departures.list.length = 0;
  await phone.reload(`/auth/callback?code=${CODE}&state=${SIGN_IN.state}`);
}
