import { listPresentUsers, type PresentUser, saveUserLocation } from '@sendlap/contract/locations.ts';
import { getSettings } from '@sendlap/contract/users.ts';
import { screen, waitFor, within } from '@testing-library/dom';
import { describe, expect, test } from 'vitest';
import { REPORT_EVERY_MS } from '#web/features/locations/location-reports.ts';
import { setGeolocation } from '../device/geolocation.ts';
import { stubMap } from '../device/stub-map.ts';
import { AccountModel, BODY } from '../models/account-model.ts';
import { answerCenter, POOL } from '../models/pool.ts';
import { settingsOf } from '../models/signed-in.ts';
import { openApp } from '../open-app.ts';
import { EVE, NORA } from '../people.ts';

const AT_POOL = { latitude: 40.4112, longitude: -3.7093, accuracy: 10 };
const presentAt = { sport_center_id: POOL.id, is_nearby: true };
const EVE_HERE: PresentUser = { id: EVE.id, name: EVE.name, public_id: EVE.public_id, ...presentAt };

test('the page of a center names the friends who are there, without other data of them, as they come and go', async () => {
  stubMap();
  let present: PresentUser[] = [];
  const { server } = await openApp({
    path: `/sport-centers/${POOL.id}`,
    prepare(fake) {
      answerCenter(fake);
      fake.on(listPresentUsers, () => present);
    },
  });
  const title = { name: 'Friends here now' };
  const tell = () => server.tell({ type: 'presence_changed', sport_center_ids: [POOL.id] });
  await screen.findByRole('link', { name: 'Directions' });
  await server.stream.opened();
  await waitFor(() => expect(server.asked(listPresentUsers).length).toBeGreaterThan(0));
  expect(screen.queryByRole('heading', title)).toBeNull();
  present = [EVE_HERE];
  tell();
  const card = (await screen.findByRole('heading', title)).closest('section') as HTMLElement;
  expect(
    within(card)
      .getAllByRole('listitem')
      .map((friend) => friend.textContent),
  ).toEqual(['Eve']);
  expect(card.textContent).toBe('Friends here nowEve');
  present = [];
  tell();
  await waitFor(() => expect(screen.queryByRole('heading', title)).toBeNull());
});

test('friends learn where an athlete trains only while the athlete has switched that on', async () => {
  setGeolocation('granted', AT_POOL);
  let account: AccountModel | undefined;
  const { server, user, passTime } = await openApp({
    path: '/profile',
    now: '2026-11-20T10:00:00Z',
    prepare(fake) {
      account = new AccountModel(fake, NORA, BODY);
      fake.on(saveUserLocation, ({ body: { accuracy = null, timestamp = '', ...position } }) => ({
        latitude: position.latitude,
        longitude: position.longitude,
        accuracy,
        timestamp: String(timestamp),
        sport_center_id: POOL.id,
      }));
    },
  });
  const presence = await screen.findByRole('switch', { name: 'Show friends where I train' });
  // A report waits for at most a minute.
  await passTime(2 * REPORT_EVERY_MS);
  expect(presence).toHaveProperty('ariaChecked', 'false');
  expect(server.asked(saveUserLocation)).toEqual([]);
  await user.click(presence);
  await screen.findByRole('switch', { name: 'Show friends where I train', checked: true });
  await waitFor(() => expect(server.asked(saveUserLocation)).toHaveLength(1));
  expect(server.asked(saveUserLocation)[0]?.body).toMatchObject(AT_POOL);
  expect(account?.settings().presence).toBe(true);
  await user.click(presence);
  await screen.findByRole('switch', { name: 'Show friends where I train', checked: false });
  await waitFor(() => expect(account?.settings().presence).toBe(false));
  await passTime(2 * REPORT_EVERY_MS);
  expect(server.asked(saveUserLocation)).toHaveLength(1);
});

describe.each([
  [
    'en',
    'Use my position',
    'Your browser has not given a position yet, so friends see nothing.',
    /^Your browser gives no position/,
  ],
  [
    'es',
    'Usar mi posición',
    'El navegador aún no ha dado ninguna posición, así que tus amigos no ven nada.',
    /^El navegador no da tu posición/,
  ],
] as const)('asked for the position for friends, in %s', (language, share, ask, denied) => {
  /** Taps the button; the browser's question is answered by `decision`, and no position comes, for this reason. */
  async function askInVain(decision: PermissionState, failure: 1 | 2 | 3): Promise<void> {
    setGeolocation('prompt', { failure });
    const { user } = await openApp({
      path: '/profile',
      language,
      prepare(fake) {
        new AccountModel(fake, NORA, BODY);
        fake.on(getSettings, () => ({ ...settingsOf(NORA), presence: true }));
      },
    });
    const button = await screen.findByRole('button', { name: share });
    screen.getByText(ask);
    setGeolocation(decision, { failure });
    await user.click(button);
  }

  test('the browser that says no is named, with the way to allow it', async () => {
    await askInVain('denied', 1);
    await screen.findByText(denied);
    expect(screen.queryByRole('button', { name: share })).toBeNull();
  });

  test.each([2, 3] as const)(
    'a browser that says yes and knows no position is not called a no (error %d)',
    async (failure) => {
      await askInVain('granted', failure);
      await waitFor(() => expect(screen.queryByText(ask)).toBeNull());
      expect(screen.queryByText(denied)).toBeNull();
    },
  );

  test('a question that was closed can be asked again', async () => {
    await askInVain('prompt', 1);
    const button = screen.getByRole('button', { name: share });
    await waitFor(() => expect(button.getAttribute('aria-busy')).not.toBe('true'));
    expect(button.isConnected).toBe(true);
    screen.getByText(ask);
  });
});
