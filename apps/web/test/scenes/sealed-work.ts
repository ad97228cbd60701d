import { login } from '@sendlap/contract/auth.ts';
import type { User } from '@sendlap/contract/users.ts';
import { screen } from '@testing-library/dom';
import { expect, vi } from 'vitest';
import { findTraces, readStores } from '../device/browser-stores.ts';
import { whenDone } from '../device/when-done.ts';
import type { FakeServer } from '../models/fake-server.ts';
import { sealingKeyOf } from '../models/sealing-model.ts';
import { answerSignedIn, tokensOf } from '../models/signed-in.ts';
import type { Phone } from '../open-app.ts';
import { NORA } from '../people.ts';
import { openAppWithActivities, startSwimming } from './activity-scene.ts';
import { openLoginForm, submitLoginForm } from './login-page.ts';

/** Opens the app at the pool, with the athlete's sealing key on the device. */
export async function openWithSealingKey() {
  const phone = await openAppWithActivities();
  await screen.findByRole('button', { name: 'Start swimming' });
  const key = { key: sealingKeyOf(NORA).public_key };
  await vi.waitFor(async () => expect(findTraces(await readStores(), key)).not.toEqual([]));
  return phone;
}

/** Returns the number of sealed records on this device. */
export async function countSealed(): Promise<number> {
  return (await readStores()).filter(({ place }) => place === 'database sendlap-outbox, store sealed').length;
}

/** Starts to swim without a network, signs out, and presses the button; returns to the network. */
export async function signOutUnsent(phone: Phone, choice = 'Keep and sign out'): Promise<void> {
  phone.setOnline(false);
  await startSwimming(phone);
  await screen.findByRole('timer');
  await openSignOut(phone);
  await phone.user.click(await screen.findByRole('button', { name: choice }));
  await screen.findByRole('button', { name: 'Sign in' });
  phone.setOnline(true);
}

export async function openSignOut({ user, reload }: Phone): Promise<void> {
  await reload('/profile');
  await user.click(await screen.findByRole('button', { name: 'Sign out' }));
}

/** `prepare`: changes the answers of the server to the signed-in person. */
export async function signInAs(phone: Phone, person: User, prepare = (_server: FakeServer) => {}): Promise<void> {
  phone.server.on(login, () => {
    answerSignedIn(phone.server, person);
    prepare(phone.server);
    return { user: person, tokens: tokensOf(person) };
  });
  await openLoginForm(phone);
  await submitLoginForm(phone, { email: person.email, password: 'chalk and water 26' });
  await screen.findByRole('navigation');
}

/** Changes the ciphertext of the only sealed record. */
export async function damageSealed(): Promise<void> {
  const database = await whenDone(indexedDB.open('sendlap-outbox'));
  const store = database.transaction('sealed', 'readwrite').objectStore('sealed');
  const [record] = await whenDone(store.getAll());
  record.ciphertext[3] ^= 1;
  await whenDone(store.put(record));
  database.close();
}
