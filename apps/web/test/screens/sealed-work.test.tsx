import { syncActivities } from '@sendlap/contract/activities.ts';
import { logout, refresh } from '@sendlap/contract/auth.ts';
import { getLeaderboard } from '@sendlap/contract/leaderboards.ts';
import { getSealingKey, openSeal } from '@sendlap/contract/sealing-keys.ts';
import { screen, within } from '@testing-library/dom';
import { expect, test, vi } from 'vitest';
import { savePreferredLanguage } from '#web/shared/i18n/language.ts';
import { createSealingStore } from '#web/shared/outbox/sealed/sealing-store.ts';
import { openOutboxDatabase } from '#web/shared/outbox/store/database.ts';
import { findTraces, readStores } from '../device/browser-stores.ts';
import type { Phone } from '../open-app.ts';
import { EVE, NORA } from '../people.ts';
import { openAppWithActivities, startSwimming } from '../scenes/activity-scene.ts';
import { findSheet } from '../scenes/profile-screen.ts';
import {
  countSealed,
  damageSealed,
  openSignOut,
  openWithSealingKey,
  signInAs,
  signOutUnsent,
} from '../scenes/sealed-work.ts';

const sentOps = ({ server }: Phone) => server.asked(syncActivities).flatMap(({ body }) => body.ops);

test('another athlete who signs in on the tablet finds and sends nothing; the owner’s next sign-in sends it once', async () => {
  const phone = await openWithSealingKey();
  await signOutUnsent(phone);
  await screen.findByText(/^Waiting on this device: 1 activity\. Nothing is lost/);
  await signInAs(phone, EVE);
  await phone.reload('/activities');
  await screen.findByRole('heading', { name: 'Nothing here yet' });
  expect([sentOps(phone), phone.server.asked(openSeal), await countSealed()]).toEqual([[], [], 1]);
  expect(findTraces(await readStores(), { owner: NORA.id, name: NORA.name })).toEqual([]);

  await openSignOut(phone);
  await screen.findByText(/^Waiting on this device: 1 activity\./);
  await signInAs(phone, NORA);
  await vi.waitFor(() => expect(phone.activities.list().map(({ status }) => status)).toEqual(['active']));
  expect([sentOps(phone).map(({ kind }) => kind), await countSealed()]).toEqual([['start'], 0]);
  await phone.reload('/dashboard');
  await screen.findByRole('link', { name: /^Profile/ });
  expect(phone.server.asked(openSeal)).toHaveLength(1);
});

test('while the server cannot open it, it is counted and stays sealed; a minute later it is sent', async () => {
  const phone = await openWithSealingKey();
  await signOutUnsent(phone);
  await signInAs(phone, NORA, (server) => server.refuse(openSeal, 'unavailable'));
  await phone.user.click(await screen.findByRole('button', { name: /^1 pending/ }));
  const sheet = within(await findSheet('On this device'));
  sheet.getByText('1 thing that you kept here at the sign-out opens as soon as the server answers.');
  expect([sentOps(phone), await countSealed()]).toEqual([[], 1]);
  phone.server.heal(openSeal);
  await vi.waitFor(async () => {
    await phone.passTime(10_000);
    expect(phone.activities.list()).toHaveLength(1);
  });
  expect([sentOps(phone).length, await countSealed()]).toEqual([1, 0]);
});

test.each([
  [
    'en',
    /^1 damaged/,
    'On this device',
    "1 thing that you kept here at the sign-out is damaged and can't be opened.",
    'Discard',
  ],
  [
    'es',
    /^1 dañado/,
    'En este dispositivo',
    '1 cosa que guardaste aquí al cerrar sesión está dañada y no se puede abrir.',
    'Descartar',
  ],
] as const)(
  'damaged work is reported, not tried again and again, and can be discarded (%s)',
  async (language, chip, title, words, discard) => {
    const phone = await openWithSealingKey();
    await signOutUnsent(phone);
    await vi.waitFor(async () => expect(await countSealed()).toBe(1));
    await damageSealed();
    await signInAs(phone, NORA);
    await screen.findByRole('button', { name: /^1 damaged/ });
    savePreferredLanguage(language);
    await phone.reload('/dashboard');
    await phone.user.click(await screen.findByRole('button', { name: chip }));
    const sheet = within(await findSheet(title));
    sheet.getByText(words);
    const asked = phone.server.asked(openSeal).length;
    await phone.passTime(120_000);
    expect([phone.server.asked(openSeal).length, sentOps(phone), await countSealed()]).toEqual([asked, [], 1]);
    await phone.user.click(sheet.getByRole('button', { name: discard }));
    const buttons = await screen.findAllByRole('button', { name: discard });
    await phone.user.click(buttons.at(-1) as HTMLElement);
    await vi.waitFor(async () => expect(await countSealed()).toBe(0));
  },
);

test.each([
  [
    'en',
    '1 unsent thing of another account is sealed on this device. It opens when its owner signs in here. If that account is gone, you can discard it.',
    'Discard',
    'Discard for good',
  ],
  [
    'es',
    '1 cosa sin enviar de otra cuenta está cifrada en este dispositivo. Se abre cuando esa persona inicia sesión aquí. Si la cuenta ya no existe, puedes descartarla.',
    'Descartar',
    'Descartar del todo',
  ],
] as const)(
  'work of an account that is gone can be discarded from "your data", after a question (%s)',
  async (language, words, discard, confirm) => {
    const phone = await openWithSealingKey();
    await signOutUnsent(phone);
    await signInAs(phone, EVE);
    savePreferredLanguage(language);
    await phone.reload('/profile/account');
    await screen.findByText(words);
    await phone.user.click(screen.getByRole('button', { name: discard }));
    await phone.user.click(await screen.findByRole('button', { name: confirm }));
    await vi.waitFor(async () => expect(await countSealed()).toBe(0));
    expect(screen.queryByText(words)).toBe(null);
  },
);

test('without a key on the device the sign-out says that the work cannot be sealed, and keeps it as it is', async () => {
  const phone = await openAppWithActivities();
  phone.server.refuse(getSealingKey, 'unavailable');
  await phone.reload();
  await screen.findByRole('button', { name: 'Start swimming' });
  expect(await countSealed()).toBe(0);
  phone.setOnline(false);
  await startSwimming(phone);
  await screen.findByRole('timer');
  await openSignOut(phone);
  await screen.findByText(/It can't be sealed now, because this device does not have your key yet/);
  await phone.user.click(screen.getByRole('button', { name: 'Keep and sign out' }));
  await screen.findByText(/^Waiting on this device: 1 activity\./);
  expect(await countSealed()).toBe(0);
  phone.setOnline(true);
  await vi.waitFor(() => expect(phone.server.asked(logout)).not.toEqual([]));
  await signInAs(phone, NORA);
  await vi.waitFor(() => expect(phone.activities.list()).toHaveLength(1));
});

test('a session that ends elsewhere seals the work too, and the sign-in says how much waits', async () => {
  const phone = await openWithSealingKey();
  phone.server.refuse(syncActivities, 'unavailable');
  await startSwimming(phone);
  await screen.findByRole('timer');
  await phone.reload('/dashboard');
  const ranks = await screen.findByRole('link', { name: 'Ranks' });
  phone.server.refuse(getLeaderboard, 'unauthenticated');
  phone.server.refuse(refresh, 'refresh_invalid');
  phone.server.refuse(syncActivities, 'unauthenticated');
  await phone.user.click(ranks);
  await screen.findByText(/^Waiting on this device: 1 activity\./);
  // The address to return to is kept for the next sign-in in this tab.
  const inDatabases = async () => (await readStores()).filter(({ place }) => place.startsWith('database'));
  await vi.waitFor(async () =>
    expect(findTraces(await inDatabases(), { owner: NORA.id, name: NORA.name })).toEqual([]),
  );
  expect(await countSealed()).toBe(1);
  phone.server.heal(syncActivities);
  await signInAs(phone, NORA);
  await vi.waitFor(() => expect(phone.activities.list()).toHaveLength(1));
  expect(await countSealed()).toBe(0);
});

test('a tab that wakes up late and seals the work of an athlete who is signed in does no harm', async () => {
  const phone = await openWithSealingKey();
  phone.server.refuse(syncActivities, 'unavailable');
  await startSwimming(phone);
  await screen.findByRole('timer');
  const database = await openOutboxDatabase('sendlap-outbox', () => {});
  const late_tab = new BroadcastChannel('sendlap-outbox');
  const store = createSealingStore({
    open: async () => database,
    freeSpace: async () => {},
    now: () => Date.now(),
    onChange: () => late_tab.postMessage({ type: 'changed' }),
  });
  await store.sealAll();
  await vi.waitFor(() => expect(phone.server.asked(openSeal)).toHaveLength(1));
  await vi.waitFor(async () => expect(await countSealed()).toBe(0));
  late_tab.close();
  database.close();
  await screen.findByRole('timer');
  phone.server.heal(syncActivities);
  await vi.waitFor(async () => {
    await phone.passTime(10_000);
    expect(phone.activities.list().map(({ status }) => status)).toEqual(['active']);
  });
  expect(new Set(sentOps(phone).map(({ op_id }) => op_id)).size).toBe(1);
});
