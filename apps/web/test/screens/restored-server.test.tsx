import { syncActivities } from '@sendlap/contract/activities.ts';
import { login, refresh } from '@sendlap/contract/auth.ts';
import { screen } from '@testing-library/dom';
import { expect, test, vi } from 'vitest';
import { POOL } from '../models/pool.ts';
import { answerSignedIn, tokensOf } from '../models/signed-in.ts';
import type { Phone } from '../open-app.ts';
import { NORA } from '../people.ts';
import { finish, startSwimming } from '../scenes/activity-scene.ts';
import { openLoginForm, submitLoginForm } from '../scenes/login-page.ts';
import { countSealed, openWithSealingKey } from '../scenes/sealed-work.ts';

const sentOps = ({ server }: Phone) =>
  server.asked(syncActivities).flatMap(({ body }) => body.ops.map(({ op_id }) => op_id));

/** A swim that the server has acknowledged. Returns the ids of its ops. */
async function swim(phone: Awaited<ReturnType<typeof openWithSealingKey>>): Promise<string[]> {
  await startSwimming(phone);
  await finish(phone);
  await vi.waitFor(() => expect(phone.activities.list().map(({ status }) => status)).toEqual(['finished']));
  return sentOps(phone);
}

test('a server that was restored from before the swim gets it again, once', async () => {
  const phone = await openWithSealingKey();
  const sent = await swim(phone);
  await phone.reload('/activities');
  await screen.findAllByText(POOL.name);
  expect(sentOps(phone)).toEqual(sent);

  phone.activities.loseEverything();
  phone.server.epoch = 'another one';
  await phone.reload('/activities');
  await vi.waitFor(() => expect(phone.activities.list().map(({ status }) => status)).toEqual(['finished']));
  expect(phone.activities.ops()).toEqual(sent);
  await phone.reload('/activities');
  await screen.findAllByText(POOL.name);
  expect(sentOps(phone)).toEqual([...sent, ...sent]);
});

test('a server that no longer knows the session gets the swim after the next sign-in', async () => {
  const phone = await openWithSealingKey();
  const sent = await swim(phone);
  phone.activities.loseEverything();
  phone.server.epoch = 'another one';
  phone.server.refuse(refresh, 'refresh_invalid');
  await phone.reload('/activities');
  await screen.findByRole('button', { name: 'Sign in' });
  await vi.waitFor(async () => expect(await countSealed()).toBe(1));
  expect(screen.queryByText(/Waiting on this device/)).toBeNull();

  phone.server.on(login, () => {
    answerSignedIn(phone.server, NORA);
    return { user: NORA, tokens: tokensOf(NORA) };
  });
  await openLoginForm(phone);
  await submitLoginForm(phone, { email: NORA.email, password: 'chalk and water 26' });
  await screen.findByRole('navigation');
  await vi.waitFor(() => expect(phone.activities.ops()).toEqual(sent));
  expect(await countSealed()).toBe(0);
});
