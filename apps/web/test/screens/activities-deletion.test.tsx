import { screen, waitFor } from '@testing-library/dom';
import { expect, test, vi } from 'vitest';
import { loadActivities } from '#web/shared/local-db/activities.ts';
import { createOutboxStore } from '#web/shared/outbox/store/store.ts';
import { openOutbox } from '#web/shared/outbox/tabs.ts';
import { activityOf } from '../models/activity-model.ts';
import { POOL } from '../models/pool.ts';
import type { Phone } from '../open-app.ts';
import { NORA } from '../people.ts';
import { MINUTE_MS, main, OFFLINE, openAppWithActivities, passUndo, pathOf } from '../scenes/activity-scene.ts';

const store = createOutboxStore({
  open: openOutbox,
  now: () => Date.now(),
  newId: () => crypto.randomUUID(),
  clockNote: () => null,
  freeSpace: async () => {},
  onChange: () => {},
});

const SWIM = activityOf(1, POOL);

const openSwim = () => openAppWithActivities({ path: pathOf(SWIM), first: [SWIM] });

async function press({ user }: Phone, name: string): Promise<void> {
  await user.click(await screen.findByRole('button', { name }));
}

const NOTHING = { name: 'Nothing here yet' };
const findNoActivity = () => screen.findByRole('heading', { name: 'Activity not found' });

test('a deletion can be taken back for five seconds', async () => {
  const phone = await openSwim();
  await screen.findByRole('button', { name: 'Delete' });
  // With a held clock, each poll of `vi.waitFor` takes 50 ms of the five seconds, however slow the screen is.
  phone.holdTime();
  await press(phone, 'Delete');
  await vi.waitFor(() => screen.getByRole('heading', NOTHING));
  await phone.user.click(screen.getByRole('button', { name: 'Undo' }));
  await vi.waitFor(() => expect(main().getAllByRole('listitem')).toHaveLength(1));
  await passUndo(phone);
  expect(main().getAllByRole('listitem')).toHaveLength(1);
  expect(phone.activities.ops()).toEqual([]);
});

test('a deletion that is not taken back is final', async () => {
  const phone = await openSwim();
  await press(phone, 'Delete');
  await screen.findByRole('heading', NOTHING);
  await passUndo(phone);
  await waitFor(() => expect(phone.activities.list().map(({ status }) => status)).toEqual(['deleted']));
  expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull();
  await phone.reload(pathOf(SWIM));
  await findNoActivity();
});

test('a deletion that the worker has sent while the app was closed stays one without a network, and leaves no trace once the list was read', async () => {
  const phone = await openSwim();
  await screen.findByRole('button', { name: 'Delete' });
  await phone.server.stream.opened();
  phone.setOnline(false);
  await press(phone, 'Delete');
  await screen.findByRole('heading', NOTHING);
  await passUndo(phone);
  // As the worker does: the page hears nothing of it.
  const { ops } = await store.listRows(NORA.id);
  await store.applyResults(phone.activities.answer(ops.map(({ payload }) => payload)).results);
  await phone.reload('/activities');
  await screen.findByText(OFFLINE);
  await screen.findByRole('heading', NOTHING);
  await phone.reload(pathOf(SWIM));
  await screen.findByText(OFFLINE);
  await findNoActivity();

  phone.setOnline(true);
  await phone.reload('/activities');
  await screen.findByRole('heading', NOTHING);
  await waitFor(async () => expect((await store.listRows(NORA.id)).activities).toEqual([]));
  expect(await loadActivities(NORA.id)).toEqual([]);
});

const MISTAKE = 'Started by mistake? Delete it';

test.each(['online', 'offline'])('a start by mistake is deleted from its own screen, %s', async (network) => {
  const phone = await openSwim();
  await screen.findByRole('button', { name: 'Again here' });
  phone.setOnline(network === 'online');
  await press(phone, 'Again here');
  await press(phone, MISTAKE);
  await screen.findByRole('heading', { level: 1, name: 'Hi, Nora' });
  expect(screen.queryByRole('timer')).toBeNull();
  await phone.user.click(screen.getByRole('button', { name: 'Undo' }));
  await screen.findByRole('timer');
  await phone.user.click(main().getByRole('link', { name: /^Running now/ }));

  await press(phone, MISTAKE);
  await passUndo(phone);
  phone.setOnline(true);
  await waitFor(() => expect(phone.activities.list().map(({ status }) => status)).toEqual(['finished', 'deleted']));
});

test('an activity that is worth points is not deleted in passing', async () => {
  const phone = await openSwim();
  await press(phone, 'Again here');
  await screen.findByRole('button', { name: MISTAKE });
  for (let minute = 0; minute < 10; minute += 1)
    for (let part = 0; part < 6; part += 1) await phone.passTime(MINUTE_MS / 6);
  await screen.findByText(/points so far/);
  expect(screen.queryByRole('button', { name: MISTAKE })).toBeNull();
});

test('again here starts the same at the same center', async () => {
  const phone = await openSwim();
  await press(phone, 'Again here');
  await screen.findByRole('button', { name: 'Finish' });
  await screen.findByText(/Saved on the server$/);
  const [, started] = phone.activities.list();
  expect(started).toMatchObject({ status: 'active', sport_center_id: POOL.id, sport_type: 'swimming' });
  // No start is possible while another activity runs.
  await phone.reload(pathOf(SWIM));
  await screen.findByRole('button', { name: 'Delete' });
  expect(screen.queryByRole('button', { name: 'Again here' })).toBeNull();
});

test('an address of no activity says so and leads home [spec 8.other.activity]', async () => {
  const phone = await openAppWithActivities({ path: '/activities/11111111-1111-4111-8111-111111111111' });
  await findNoActivity();
  await phone.user.click(main().getByRole('link', { name: 'Home' }));
  await screen.findByRole('heading', { level: 1, name: 'Hi, Nora' });
  expect(window.location.pathname).toBe('/dashboard');
});
