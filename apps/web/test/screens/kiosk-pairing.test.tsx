import { pairKiosk } from '@sendlap/contract/kiosks.ts';
import { screen } from '@testing-library/dom';
import { expect, test, vi } from 'vitest';
import { findTraces, readStores } from '../device/browser-stores.ts';
import { delayModuleLoad } from '../device/module-loading.ts';
import { KIOSK_TOKEN, KioskModel } from '../models/kiosk-model.ts';
import { openApp, type Phone } from '../open-app.ts';
import { NORA } from '../people.ts';

const CODE = 'abcd-efgh-jkmn';
const NOW = '2026-11-20T10:00:00Z';

interface Tablet extends Phone {
  kiosks: KioskModel;
}

/** Opens a tablet that has never run the app, at the kiosk's address. */
async function openTablet(path = '/kiosk', as: typeof NORA | null = null): Promise<Tablet> {
  let kiosks: KioskModel | undefined;
  const phone = await openApp({ as, path, now: NOW, prepare: (server) => (kiosks = new KioskModel(server)) });
  if (!kiosks) throw new Error('the app was opened without its server');
  return { ...phone, kiosks };
}

const findCodeField = () => screen.findByRole('textbox', { name: 'One-time code' });
const findCode = () => screen.findByRole('img', { name: /^QR code of La Cebada/ });
const findTokens = async () => findTraces(await readStores(), { token: KIOSK_TOKEN });

async function pair({ user }: Tablet, code: string): Promise<void> {
  const field = await findCodeField();
  await user.clear(field);
  await user.type(field, code);
  await user.click(screen.getByRole('button', { name: 'Pair' }));
}

async function expectAlert(text: string): Promise<void> {
  await vi.waitFor(() => expect(screen.getByRole('alert').textContent).toContain(text));
}

test('a tablet on which the code arrives late shows that it loads, and no blank page', async () => {
  const release = delayModuleLoad('#web/app/screens/KioskScreen.tsx');
  await openTablet();
  await screen.findByRole('status', { name: 'Loading' });
  release();
  await findCodeField();
});

test('a code that is malformed, unknown or typed without network pairs nothing; the right one does', async () => {
  const tablet = await openTablet();
  tablet.kiosks.codes.add(CODE);
  await pair(tablet, 'hello');
  await expectAlert('does not look like a code');
  expect(tablet.server.asked(pairKiosk)).toEqual([]);
  await pair(tablet, 'aaaa-bbbb-cccc');
  await expectAlert("We don't know this code. Compare it letter by letter");
  tablet.setOnline(false);
  await pair(tablet, CODE);
  await expectAlert('Pairing needs a connection');
  expect(await findTokens()).toEqual([]);
  tablet.setOnline(true);
  // The server's own failure is not put down to the tablet's network.
  tablet.server.refuse(pairKiosk, 'internal_error');
  await pair(tablet, CODE);
  await expectAlert('Something broke on our side. Please try again.');
  tablet.server.heal(pairKiosk);
  await pair(tablet, CODE);
  await findCode();
  expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('La Cebada');
});

test('a code that was used already is refused, and the address that brought it does not keep it', async () => {
  const tablet = await openTablet();
  tablet.kiosks.used_codes.add(CODE);
  await tablet.reload(`/kiosk#${CODE}`);
  await expectAlert('used already');
  expect(window.location.href).not.toContain(CODE);
  await findCodeField();
});

test('a browser in which an athlete is signed in becomes no kiosk: it leads to the sign-out', async () => {
  const tablet = await openTablet('/dashboard', NORA);
  await screen.findByRole('heading', { level: 1, name: `Hi, ${NORA.name}` });
  await tablet.reload('/kiosk');
  await expectAlert('A user is signed in');
  expect(screen.queryByRole('textbox')).toBeNull();
  const link = screen.getByRole<HTMLAnchorElement>('link', { name: 'Sign out first' });
  await tablet.reload(link.pathname);
  await screen.findByRole('button', { name: 'Sign out' });
});

test('un-paired on the tablet itself, it forgets its keys at once', async () => {
  const tablet = await openTablet();
  const { user } = tablet;
  tablet.kiosks.codes.add(CODE);
  await pair(tablet, CODE);
  await findCode();
  expect(await findTokens()).toEqual(['token in database sendlap-kiosk, store facts']);
  await user.click(screen.getByRole('link', { name: 'Set up this tablet' }));
  await screen.findByText('Correct');
  const press = async (name: string) => user.click(await screen.findByRole('button', { name }));
  await press('Un-pair this tablet');
  await press('Cancel');
  await press('Un-pair this tablet');
  await press('Yes, un-pair');
  await findCodeField();
  expect(await findTokens()).toEqual([]);
});

test('a paired tablet that is loaded while the server does not answer shows its code and its board, and how old that is', async () => {
  const tablet = await openTablet();
  tablet.kiosks.codes.add(CODE);
  await pair(tablet, CODE);
  await findCode();
  await screen.findByText('The board is empty so far');
  tablet.server.hang();
  await tablet.reload('/kiosk');
  await findCode();
  screen.getByText('The board is empty so far');
  await tablet.passTime(3 * 60_000);
  await screen.findByText(/^Updated: /);
  await findCode();
});
