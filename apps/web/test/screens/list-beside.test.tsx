import { listActivities } from '@sendlap/contract/activities.ts';
import { screen, waitFor, within } from '@testing-library/dom';
import { expect, test } from 'vitest';
import { readDepth } from '#web/shared/navigation/history-entry.ts';
import { stubPageScroll } from '../device/page-scroll.ts';
import { widenScreen } from '../device/wide-screen.ts';
import { ActivityModel, activityOf } from '../models/activity-model.ts';
import { answerCenter, POOL } from '../models/pool.ts';
import { openApp } from '../open-app.ts';
import { main, openAppWithActivities } from '../scenes/activity-scene.ts';

const DAY_MS = 86_400_000;
const SWIMS = Array.from({ length: 3 }, (_, days) => {
  const at = (time: string) => new Date(Date.parse(`2026-11-20T${time}Z`) - days * DAY_MS).toISOString();
  return activityOf(days + 1, POOL, { started_at: at('10:00:00'), ended_at: at('10:45:00') });
});
const MISSING = '/activities/00000000-0000-4000-9000-000000009999';

const title = (name: string) => screen.findByRole('heading', { level: 1, name });
const column = (name = 'My activities') => within(screen.getByRole('navigation', { name }));
const rows = () => column().queryAllByRole('link');

async function findRow(nth: number): Promise<HTMLElement> {
  await waitFor(() => expect(rows()).toHaveLength(SWIMS.length));
  return rows()[nth] as HTMLElement;
}

test('below 900 px a list fills the screen, and so does the activity chosen from it', async () => {
  const phone = await openAppWithActivities({ path: '/activities', first: SWIMS });
  await title('My activities');
  expect(screen.queryByRole('navigation', { name: 'My activities' })).toBeNull();
  expect(screen.queryByText('What you choose in the list appears here.')).toBeNull();
  await phone.user.click((await main().findAllByRole('link'))[0] as HTMLElement);
  await screen.findByRole('button', { name: 'Again here' });
  expect(screen.queryByRole('heading', { name: 'My activities' })).toBeNull();
});

test('in a wide window an address of nothing says so beside the list, which leads on', async () => {
  widenScreen();
  const phone = await openAppWithActivities({ path: MISSING, first: SWIMS });
  await screen.findByRole('heading', { name: 'Activity not found' });
  expect(screen.getAllByRole('heading', { level: 1 })).toHaveLength(1);
  await phone.user.click(await findRow(0));
  await title('Swimming');
  expect(screen.queryByRole('heading', { name: 'Activity not found' })).toBeNull();
});

test('in a wide window a list that cannot be read leaves the activity beside it alone', async () => {
  widenScreen();
  await openApp({
    path: `/activities/${SWIMS[1]?.client_id}`,
    now: '2026-11-20T11:45:00Z',
    prepare: (server) => {
      answerCenter(server);
      new ActivityModel(server, [POOL], SWIMS);
      server.refuse(listActivities, 'validation_failed');
    },
  });
  await title('Swimming');
  await column().findByRole('heading', { name: 'Your activities could not be loaded' });
  await screen.findByRole('button', { name: 'Again here' });
});

test('in a wide window the chosen activity opens beside the list, which keeps its filter, and one Back closes it', async () => {
  widenScreen();
  const page = stubPageScroll();
  const phone = await openAppWithActivities({ path: '/activities?sport=swimming', first: SWIMS });
  await title('My activities');
  expect(document.title).toBe('My activities · Sendlap');
  main().getByText('What you choose in the list appears here.');
  const list = screen.getByRole('navigation', { name: 'My activities' });

  await phone.user.click(await findRow(0));
  const heading = await title('Swimming');
  await waitFor(() => expect(document.activeElement).toBe(heading));
  expect(document.title).toBe('Swimming · Sendlap');
  expect(screen.getAllByRole('button', { name: 'Back' })).toHaveLength(1);
  expect(screen.getByRole('navigation', { name: 'My activities' })).toBe(list);
  expect(column().getByRole('button', { name: 'Swimming' }).getAttribute('aria-pressed')).toBe('true');
  expect(rows().map((row) => row.getAttribute('aria-current'))).toEqual(['page', null, null]);

  page.top = 300;
  await phone.user.click(await findRow(2));
  await waitFor(() => expect(rows()[2]?.getAttribute('aria-current')).toBe('page'));
  expect(page.top).toBe(0);
  await waitFor(() => expect(document.activeElement?.tagName).toBe('H1'));

  await phone.user.click(screen.getByRole('button', { name: 'Back' }));
  await title('My activities');
  expect(location.search).toBe('?sport=swimming');
  expect(screen.getByRole('navigation', { name: 'My activities' })).toBe(list);
  await waitFor(() => expect(document.activeElement).toBe(rows()[2]));
});

test('in a wide window a filter changed beside an activity is still set after Back, with the focus on its row', async () => {
  widenScreen();
  const phone = await openAppWithActivities({ path: '/activities', first: SWIMS });
  await phone.user.click(await findRow(1));
  await title('Swimming');
  await phone.user.click(column().getByRole('button', { name: 'Swimming' }));
  await waitFor(() => expect(location.search).toBe('?sport=swimming'));
  await findRow(1);
  await phone.user.click(screen.getByRole('button', { name: 'Back' }));
  await title('My activities');
  expect(location.pathname + location.search).toBe('/activities?sport=swimming');
  expect(column().getByRole('button', { name: 'Swimming' }).getAttribute('aria-pressed')).toBe('true');
  await waitFor(() => expect(document.activeElement).toBe(rows()[1]));
});

test('in a wide window the shown activity, deleted, leaves the list with its filter, and no second entry of it', async () => {
  widenScreen();
  const phone = await openAppWithActivities({ path: '/activities?sport=swimming', first: SWIMS });
  await phone.user.click(await findRow(1));
  await title('Swimming');
  await phone.user.click(await screen.findByRole('button', { name: 'Delete' }));
  const heading = await title('My activities');
  await waitFor(() => expect(rows()).toHaveLength(SWIMS.length - 1));
  expect(location.pathname + location.search).toBe('/activities?sport=swimming');
  expect(readDepth()).toBe(0);
  await waitFor(() => expect(document.activeElement).toBe(heading));
});

test('in a wide window a reload keeps the list of the activity and its filter, in Spanish too', async () => {
  widenScreen();
  const phone = await openAppWithActivities({ path: '/activities?sport=climbing', first: SWIMS, language: 'es' });
  await title('Mis actividades');
  main().getByText('Lo que elijas en la lista aparece aquí.');
  await phone.reload(`/activities/${SWIMS[1]?.client_id}?sport=climbing`);
  await title('Natación');
  const climbing = await column('Mis actividades').findByRole('button', { name: 'Escalada' });
  expect(climbing.getAttribute('aria-pressed')).toBe('true');
});

test('on a tablet that is turned under an open sheet, a screen reader finds the list beside it once the sheet is closed', async () => {
  const turn = widenScreen();
  turn();
  const phone = await openAppWithActivities({ path: `/activities/${SWIMS[1]?.client_id}`, first: SWIMS });
  await title('Swimming');
  await phone.user.click(await screen.findByRole('button', { name: 'Correct' }));
  await screen.findByRole('dialog');
  turn();
  const list = await screen.findByRole('navigation', { name: 'My activities', hidden: true });
  expect(list.closest('[inert]')).not.toBeNull();
  await phone.user.keyboard('{Escape}');
  await findRow(0);
  expect(list.closest('[inert]')).toBeNull();
});
