import { listPresentUsers, type PresentUser, saveUserLocation } from '@sendlap/contract/locations.ts';
import { screen, waitFor, within } from '@testing-library/dom';
import { expect, test } from 'vitest';
import { REPORT_EVERY_MS } from '#web/features/locations/location-reports.ts';
import { setGeolocation } from '../device/geolocation.ts';
import { stubMap } from '../device/stub-map.ts';
import { AccountModel, BODY } from '../models/account-model.ts';
import { answerCenter, POOL } from '../models/pool.ts';
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
