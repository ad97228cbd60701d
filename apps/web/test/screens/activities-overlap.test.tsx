import { type Activity, listActivities, type Op, syncActivities } from '@sendlap/contract/activities.ts';
import { screen, waitFor, within } from '@testing-library/dom';
import { describe, expect, test } from 'vitest';
import { activityOf } from '../models/activity-model.ts';
import { POOL } from '../models/pool.ts';
import type { Phone } from '../open-app.ts';
import {
  finish,
  goOffline,
  MINUTE_MS,
  openAppWithActivities,
  pathOf,
  startSwimming,
} from '../scenes/activity-scene.ts';

/** The other phone swam from 10:00 to 10:45, and its activity reached the server first. */
const THERE = activityOf(7, POOL);

/** It runs there, since 10:00. */
const RUNNING = { ...THERE, status: 'active', ended_at: null } as const;

/** Swims offline from 9:30 to 10:45:30, and comes back to a server that has the other phone's activity. */
async function comeBack(
  there: Activity[] = [THERE],
  refused: 'start' | 'finish' = 'start',
  prepare: (phone: Phone) => void = () => {},
) {
  const phone = await openAppWithActivities({ now: '2026-11-20T09:30:00Z' });
  await goOffline(phone);
  await startSwimming(phone);
  await screen.findByRole('timer');
  await phone.passTime(75 * MINUTE_MS + 30_000);
  await finish(phone);
  for (const activity of there) phone.activities.add(activity);
  const is_running = there.some(({ status }) => status === 'active');
  phone.activities.refuseOps(refused, is_running ? 'activity_already_active' : 'activity_overlap');
  prepare(phone);
  phone.setOnline(true);
  return phone;
}

/** The card, once it knows the other phone's activity. */
async function findCard() {
  await screen.findByText('Already saved');
  return within(screen.getByRole('alert'));
}

async function confirmDiscard({ user }: Phone): Promise<void> {
  const sheet = within(await screen.findByRole('dialog', { name: /^Keep only the (new|saved) one$/ }));
  sheet.getByRole('button', { name: 'Cancel' });
  await user.click(sheet.getByRole('button', { name: /^Delete the (saved|new) one$/ }));
}

/** Returns the ops that the app sends from now on. */
function noteOps({ server, activities }: Awaited<ReturnType<typeof comeBack>>): Op['kind'][] {
  const kinds: Op['kind'][] = [];
  const { answer } = activities;
  server.on(syncActivities, ({ body }) => {
    kinds.push(...body.ops.map(({ kind }) => kind));
    return answer(body.ops as Op[]);
  });
  return kinds;
}

test('the work of two phones at one time is one card that shows both, also in Spanish, and one entry of the list', async () => {
  const phone = await comeBack();
  const card = await findCard();
  card.getByText('New, on this device');
  card.getByText('Already saved');
  expect(card.getAllByText('Swimming at La Cebada')).toHaveLength(2);
  expect(screen.queryByText(/not accepted/)).toBeNull();
  screen.getByText('No points yet');
  expect(screen.queryByText('points waiting')).toBeNull();
  await phone.user.click(await screen.findByRole('button', { name: /^1 to decide/ }));
  const list = within(await screen.findByRole('dialog', { name: 'On this device' }));
  await list.findByRole('heading', { name: 'Two activities at the same time' });

  localStorage.setItem('preferred-language', 'es');
  await phone.reload();
  await screen.findByText('Ya guardada');
  const spanish = within(screen.getByRole('alert'));
  spanish.getByRole('heading', { name: 'Dos actividades a la vez' });
  expect(spanish.getAllByRole('button').map(({ textContent }) => textContent?.replace(/: .*/, ''))).toEqual([
    'Unirlas en una',
    'Acortar esta',
    'Quedarme solo con la nueva',
    'Quedarme solo con la guardada',
  ]);
});

test('merged, both are one activity from the first start to the last end, and its page is shown', async () => {
  const phone = await comeBack();
  const card = await findCard();
  const kinds = noteOps(phone);
  await phone.user.click(card.getByRole('button', { name: /^Merge into one/ }));
  await screen.findByText('The server has it.');
  expect(location.pathname).toBe(pathOf(THERE));
  expect(kinds).toEqual(['edit']);
  const [merged, ...others] = phone.activities.list();
  expect(others).toEqual([]);
  expect(merged?.started_at).toMatch(/^2026-11-20T09:30/);
  expect(merged?.ended_at).toMatch(/^2026-11-20T10:45/);
  expect(screen.queryByRole('alert')).toBeNull();
});

test('the choice is saved without a network, also over a reload, and is sent once', async () => {
  const phone = await comeBack();
  const card = await findCard();
  phone.setOnline(false);
  const kinds = noteOps(phone);
  await phone.user.click(card.getByRole('button', { name: /^Merge into one/ }));
  await waitFor(() => expect(location.pathname).toBe(pathOf(THERE)));
  await phone.reload();
  await screen.findByText('Goes out as soon as there is a network.');
  expect(screen.queryByRole('alert')).toBeNull();
  phone.setOnline(true);
  await screen.findByText('The server has it.');
  expect(kinds).toEqual(['edit']);
});

test('a merge that the server refuses, as the other phone deleted its activity, loses nothing: this one can still be sent', async () => {
  const phone = await comeBack();
  const own_path = location.pathname;
  const card = await findCard();
  const choice = card.getByRole('button', { name: /^Merge into one/ });
  phone.activities.refuseOps('edit', 'activity_deleted');
  phone.activities.add({ ...THERE, status: 'deleted' });
  const answered = phone.server.hold(syncActivities);
  await phone.user.click(choice);
  await answered.arrived;
  answered.release();
  await phone.reload(own_path);
  phone.activities.refuseOps('start', null);
  await phone.user.click(await screen.findByRole('button', { name: 'Try again' }));
  await screen.findByText('The server has it.');
  expect(phone.activities.list().filter(({ status }) => status === 'finished')).toHaveLength(1);
});

describe("the other phone's activity, which runs as far as this phone knows,", () => {
  test('runs on when both are made one: the end of this one ends nothing', async () => {
    const phone = await comeBack([RUNNING]);
    const card = await findCard();
    card.getByText('Still running');
    card.getByText('It keeps running until you finish it.');
    const kinds = noteOps(phone);
    await phone.user.click(card.getByRole('button', { name: /^Merge into one: since 9:30/ }));
    await screen.findByRole('timer');
    expect(location.pathname).toBe(pathOf(THERE));
    await waitFor(() => expect(kinds).toEqual(['edit']));
    const [merged, ...others] = phone.activities.list();
    expect(others).toEqual([]);
    expect(merged).toMatchObject({ client_id: THERE.client_id, status: 'active', ended_at: null });
    expect(merged?.started_at).toMatch(/^2026-11-20T09:30/);
  });

  test('but was finished there before this one ended, is shown as such in both languages, and nothing is lost', async () => {
    const phone = await comeBack([RUNNING]);
    const own_path = location.pathname;
    const choice = (await findCard()).getByRole('button', { name: /^Merge into one/ });
    phone.activities.add({ ...THERE, ended_at: '2026-11-20T10:30:00.000Z' });
    const answered = phone.server.hold(syncActivities);
    await phone.user.click(choice);
    await answered.arrived;
    answered.release();
    for (const [language, text, state, merge] of [
      ['es', /^Ya la habías terminado en otro dispositivo/, 'Terminada', /^Unirlas en una/],
      ['en', /^You had already finished it on another device/, 'Finished', /^Merge into one/],
    ] as const) {
      localStorage.setItem('preferred-language', language);
      await phone.reload(own_path);
      await screen.findByText(text);
      const card = within(screen.getByRole('alert'));
      await card.findByText(state);
      card.getByRole('button', { name: merge });
    }
    await phone.user.click(screen.getByRole('button', { name: /^Merge into one/ }));
    await waitFor(() => expect(location.pathname).toBe(pathOf(THERE)));
    await waitFor(() => expect(phone.activities.list()[0]?.ended_at).toMatch(/^2026-11-20T10:45/));
    const [merged, ...others] = phone.activities.list();
    expect(others).toEqual([]);
    expect(merged).toMatchObject({ client_id: THERE.client_id, status: 'finished' });
    expect(merged?.started_at).toMatch(/^2026-11-20T09:30/);
  });
});

test("only this phone's deletes the other phone's, and shows the cost of that", async () => {
  const confirmed = { ...THERE, status: 'validated', validation: 'referee', points: 331 } as const;
  const phone = await comeBack([confirmed]);
  const card = await findCard();
  card.getByText('Confirmed');
  card.getByText('New times need a new confirmation: you lose this one and its points.');
  phone.activities.refuseOps('start', null);
  await phone.user.click(card.getByRole('button', { name: 'Keep only the new one' }));
  await screen.findByText(/is deleted, with 331 points/);
  await confirmDiscard(phone);
  await screen.findByText('The server has it.');
  const states = phone.activities.list().map(({ client_id, status }) => [client_id === THERE.client_id, status]);
  expect(states).toEqual([
    [true, 'deleted'],
    [false, 'finished'],
  ]);
});

test("only the other phone's needs no op", async () => {
  const phone = await comeBack();
  const card = await findCard();
  const kinds = noteOps(phone);
  await phone.user.click(card.getByRole('button', { name: 'Keep only the saved one' }));
  await confirmDiscard(phone);
  await waitFor(() => expect(location.pathname).toBe(pathOf(THERE)));
  await waitFor(() => expect(screen.queryByRole('alert')).toBeNull());
  expect(kinds).toEqual([]);
  expect(phone.activities.list()).toEqual([THERE]);
});

test('shortened, this one gets the time that the other leaves free', async () => {
  const phone = await comeBack();
  const card = await findCard();
  phone.activities.refuseOps('start', null);
  await phone.user.click(card.getByRole('button', { name: 'Shorten this one' }));
  const sheet = within(await screen.findByRole('dialog', { name: 'When was it really?' }));
  await phone.user.click(sheet.getByRole('button', { name: 'Save with this time' }));
  await screen.findByText('The server has it.');
  const [own] = phone.activities.list().filter(({ client_id }) => client_id !== THERE.client_id);
  expect(own).toMatchObject({ status: 'finished', ended_at: '2026-11-20T10:00:00.000Z' });
});

test('an activity that ended before the one that runs on the other phone is sent automatically when the running one ends', async () => {
  const running = { ...THERE, status: 'active', started_at: '2026-11-20T10:50:00.000Z', ended_at: null } as const;
  const phone = await comeBack([running]);
  await screen.findByText(/^Your activity at La Cebada is still running/);
  const card = within(screen.getByRole('alert'));
  expect(card.queryByRole('button', { name: 'Try again' })).toBeNull();
  phone.activities.refuseOps('start', null);
  phone.activities.changeAndNotify(THERE.client_id, { status: 'finished', ended_at: '2026-11-20T11:10:00.000Z' });
  await screen.findByText('The server has it.');
  expect(phone.activities.list().map(({ status }) => status)).toEqual(['finished', 'finished']);
});

test("while the other phone's activity is not known here, the card says so, and this one can still get another time", async () => {
  const list = Promise.withResolvers<() => void>();
  const phone = await comeBack([THERE], 'start', ({ server }) => list.resolve(server.hold(listActivities).release));
  await screen.findByText(/isn't on this device yet/);
  const card = within(screen.getByRole('alert'));
  expect(card.getAllByRole('button').map(({ textContent }) => textContent)).toEqual([
    'Correct the time',
    'Try again',
    'Discard',
  ]);
  (await list.promise)();
  await phone.user.click(await card.findByRole('button', { name: 'Shorten this one' }));
});

describe('an activity that began before the other one, so that the server has its start and refuses its end', () => {
  test('takes the other one in when both are made one', async () => {
    const phone = await comeBack([THERE], 'finish');
    const card = await findCard();
    phone.activities.refuseOps('finish', null);
    await phone.user.click(card.getByRole('button', { name: /^Merge into one/ }));
    await screen.findByText('The server has it.');
    const [own, ...others] = phone.activities.list().filter(({ status }) => status !== 'deleted');
    expect(others).toEqual([]);
    expect(own?.client_id).not.toBe(THERE.client_id);
    expect(own?.started_at).toMatch(/^2026-11-20T09:30/);
    expect(own?.ended_at).toMatch(/^2026-11-20T10:45/);
  });

  test("is deleted on the server too when only the other phone's is kept", async () => {
    const phone = await comeBack([THERE], 'finish');
    const card = await findCard();
    const kinds = noteOps(phone);
    await phone.user.click(card.getByRole('button', { name: 'Keep only the saved one' }));
    await confirmDiscard(phone);
    await waitFor(() => expect(kinds).toEqual(['delete']));
    await waitFor(() => expect(phone.activities.list().filter(({ status }) => status !== 'deleted')).toEqual([THERE]));
  });
});
