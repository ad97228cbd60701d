import type { Page } from '@playwright/test';
import { PASSWORD, signUpWithoutScreens } from '../people/athlete.ts';
import { openForm, submitForm } from '../people/visitor.ts';
import type { Server } from '../server/server.ts';
import { ACT_TIMEOUT_MS, type Phone, SET_UP_TIMEOUT_MS } from './phone.ts';

/** A user on one phone, with what that phone's screens have shown of the activities. */
export interface Person {
  /** Of the user on this phone. */
  key: string;
  name: string;
  email: string;
  user_id: string;
  running: string | null;
  /** Finished and not deleted, oldest first. */
  finished: string[];
  /** The copies were lost, and have not come again: the center and the chat may be missing. */
  lacks_copies: boolean;
  /** What the last act did, while it can be undone. */
  undoable: { act: 'finish' | 'delete'; client_id: string } | null;
}

export function meet(account: { name: string; email: string; user_id: string }): Person {
  return { ...account, key: crypto.randomUUID(), running: null, finished: [], undoable: null, lacks_copies: false };
}

/** Creates an account, without a session anywhere. */
export async function createPerson(server: Server, name: string): Promise<Person> {
  const email = `${name.toLowerCase()}-${crypto.randomUUID().slice(0, 8)}@example.org`;
  const { user_id } = await server.createAccount({ email, name, password: PASSWORD });
  return meet({ name, email, user_id });
}

/** Creates an account with a session on this phone, which its first refresh binds to the phone's key. */
export async function createPersonOn(phone: Phone, server: Server, name: string): Promise<Person> {
  const account = await signUpWithoutScreens(phone.page().context(), server, name);
  return meet({ name, ...account });
}

/** Signs in by the form of the app; needs a good network. */
export async function signInByForm(page: Page, server: Server, { email }: Person): Promise<void> {
  page.setDefaultTimeout(SET_UP_TIMEOUT_MS);
  await page.goto(`${server.url}/login`);
  await openForm(page);
  await submitForm(page, { email, password: PASSWORD });
  await page.waitForURL((url) => url.pathname !== '/login');
  await page.getByRole('heading', { level: 1 }).waitFor();
  page.setDefaultTimeout(ACT_TIMEOUT_MS);
}

export function isSignedOut(page: Page): boolean {
  return URL.canParse(page.url()) && new URL(page.url()).pathname === '/login';
}
