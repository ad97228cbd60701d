import 'fake-indexeddb/auto';
import { toBase64Url } from '@sendlap/domain/bytes.ts';
import { deleteDB, openDB } from 'idb';
import { beforeEach, expect, test, vi } from 'vitest';
import { ApiError } from '#web/shared/api/errors.ts';
import { createKiosk } from './kiosk.ts';
import type { KioskCalls } from './kiosk-calls.ts';
import { kioskStore } from './kiosk-store.ts';

const CODE = 'abcd-efgh-jkmn';
const HOUR_MS = 3_600_000;
const center = { id: '44444444-4444-4444-8444-444444444444', name: 'La Cebada', city: 'Madrid', time_zone: 'UTC' };
const noNetwork = () => new ApiError({ code: 'NETWORK_ERROR', status: 0 });
const refused = (backend_error: string, status: number) =>
  new ApiError({ code: 'HTTP_ERROR', status, backend_error, is_from_our_server: true });

/** A server with one kiosk; every call throws `fails` if it is set. Answers about the board wait for `held`. */
function createServer() {
  const now = { ms: Date.parse('2026-11-21T10:00:00Z') };
  const used = new Map<string, string>();
  const requests: string[] = [];
  const server = { now, requests, fails: null as Error | null, lost_reply: false, points: 10, held: Promise.resolve() };
  const recordRequest = (name: string) => {
    requests.push(name);
    if (server.fails) throw server.fails;
  };
  const keys = () => ({
    center: { ...center, sports: ['swimming' as const] },
    now: new Date(now.ms).toISOString(),
    keys: [
      {
        key_id: '22222222-2222-4222-8222-222222222222',
        key: toBase64Url(new Uint8Array(32).fill(7)),
        valid_from: new Date(now.ms).toISOString(),
        valid_until: new Date(now.ms + 8 * 24 * HOUR_MS).toISOString(),
      },
    ],
  });
  const calls: KioskCalls = {
    async pair(code, idempotency_key) {
      recordRequest('pair');
      if (code !== CODE || (used.get(code) ?? idempotency_key) !== idempotency_key)
        throw refused('invite_invalid', 422);
      used.set(code, idempotency_key);
      if (server.lost_reply) throw noNetwork();
      return { token: 'kiosk_1', ...keys() };
    },
    async listKeys() {
      recordRequest('keys');
      return keys();
    },
    async getBoard() {
      requests.push('board');
      const { fails } = server;
      await server.held;
      if (fails) throw fails;
      const week = { key: '2026-W47', starts_on: '2026-11-16', ends_on: '2026-11-22', total: 1 };
      return { ...week, items: [{ rank: 1, name: 'Ada', points: server.points }], now: new Date(now.ms).toISOString() };
    },
  };
  const open = () => createKiosk({ calls, store: kioskStore, now: () => now.ms });
  return Object.assign(server, { open });
}

/** From now on opening the database fails, as on a busy disk. */
async function breakDatabases() {
  (await openDB('newer', 2)).close();
  const open = indexedDB.open.bind(indexedDB);
  return vi.spyOn(indexedDB, 'open').mockImplementation(() => open('newer', 1));
}

beforeEach(() => deleteDB('sendlap-kiosk'));

test('a tablet that was never paired waits for a code and sends no request', async () => {
  const server = createServer();
  const kiosk = server.open();
  await kiosk.start(null);
  await kiosk.refresh();
  expect(kiosk.getState()).toMatchObject({ kind: 'unpaired', problem: null, is_revoked: false });
  expect(server.requests).toEqual([]);
});

test('a wrong code is refused in words and leaves the tablet unpaired', async () => {
  const kiosk = createServer().open();
  await kiosk.start('wrong-code');
  expect(kiosk.getState()).toMatchObject({ kind: 'unpaired', is_pairing: false });
  expect(kiosk.getState()).toHaveProperty('problem.backend_error', 'invite_invalid');
});

test('a code whose answer was lost pairs the same tablet at the next try, also after a reload', async () => {
  const server = createServer();
  server.lost_reply = true;
  const kiosk = server.open();
  await kiosk.start(CODE);
  expect(kiosk.getState().kind).toBe('unpaired');
  server.lost_reply = false;
  const reloaded = server.open();
  await reloaded.start(CODE);
  expect(reloaded.getState()).toMatchObject({ kind: 'paired', pairing: { token: 'kiosk_1' } });
});

test('a disk that could not be read for a moment un-pairs no tablet', async () => {
  const server = createServer();
  await server.open().start(CODE);
  const failing = await breakDatabases();
  const kiosk = server.open();
  await kiosk.start(null);
  expect(kiosk.getState()).toMatchObject({ kind: 'unpaired', problem: { name: 'VersionError' } });
  await kiosk.refresh();
  expect(kiosk.getState().kind).toBe('unpaired');
  failing.mockRestore();
  await kiosk.refresh();
  expect(kiosk.getState()).toMatchObject({ kind: 'paired', pairing: { token: 'kiosk_1' } });
});

test('another tablet can’t use the same code', async () => {
  const server = createServer();
  await server.open().start(CODE);
  await deleteDB('sendlap-kiosk');
  const other = server.open();
  await other.start(CODE);
  expect(other.getState()).toHaveProperty('problem.backend_error', 'invite_invalid');
});

test('a kiosk that is started again with its old code keeps its pairing', async () => {
  const server = createServer();
  await server.open().start(CODE);
  const again = server.open();
  await again.start(CODE);
  expect(again.getState()).toMatchObject({ kind: 'paired', pairing: { token: 'kiosk_1' } });
});

test('without network it starts with the saved keys and board, and says that the server did not answer', async () => {
  const server = createServer();
  const kiosk = server.open();
  await kiosk.start(CODE);
  await kiosk.refresh();
  server.fails = noNetwork();
  const reloaded = server.open();
  await reloaded.start(null);
  await reloaded.refresh();
  expect(reloaded.getState()).toMatchObject({
    kind: 'paired',
    is_reached: false,
    board: { at_ms: server.now.ms, board: { items: [{ name: 'Ada', points: 10 }] } },
  });
  const state = reloaded.getState();
  expect(state.kind === 'paired' && state.pairing.keys[0]?.key.extractable).toBe(false);
});

test('the board is requested each time, the keys once an hour or when the clock went back', async () => {
  const server = createServer();
  const kiosk = server.open();
  await kiosk.start(CODE);
  server.requests.length = 0;
  await kiosk.refresh();
  server.now.ms += HOUR_MS - 1;
  await kiosk.refresh();
  expect(server.requests).toEqual(['board', 'board']);
  server.now.ms += 1;
  await kiosk.refresh();
  expect(server.requests.slice(2)).toEqual(['keys', 'board']);
  server.now.ms -= 2 * HOUR_MS;
  await kiosk.refresh();
  expect(server.requests.slice(4)).toEqual(['keys', 'board']);
});

test.each([
  ['a proxy’s 401', new ApiError({ code: 'AUTH_REQUIRED', status: 401 })],
  ['a broken server', refused('internal_error', 500)],
  ['no network', noNetwork()],
])('%s leaves the tablet paired', async (_, error) => {
  const server = createServer();
  const kiosk = server.open();
  await kiosk.start(CODE);
  server.fails = error;
  await kiosk.refresh();
  expect(kiosk.getState()).toMatchObject({ kind: 'paired', is_reached: false });
  server.fails = null;
  await kiosk.refresh();
  expect(kiosk.getState()).toMatchObject({ kind: 'paired', is_reached: true });
});

test('a network that returns while an attempt fails is used at once', async () => {
  const server = createServer();
  const kiosk = server.open();
  await kiosk.start(CODE);
  server.requests.length = 0;
  server.fails = noNetwork();
  const { promise, resolve: answer } = Promise.withResolvers<void>();
  server.held = promise;
  const failing = kiosk.refresh();
  await vi.waitFor(() => expect(server.requests).toEqual(['board']));
  server.fails = null;
  const returned = kiosk.refresh();
  answer();
  await Promise.all([failing, returned]);
  expect(server.requests).toEqual(['board', 'board']);
  expect(kiosk.getState()).toMatchObject({ kind: 'paired', is_reached: true });
});

test('the refusal that the kiosk is unknown ends it, and nothing of it stays on the disk', async () => {
  const server = createServer();
  const kiosk = server.open();
  await kiosk.start(CODE);
  await kiosk.refresh();
  server.fails = refused('kiosk_unknown', 401);
  await kiosk.refresh();
  expect(kiosk.getState()).toMatchObject({ kind: 'unpaired', is_revoked: true });
  expect(await kioskStore.load()).toEqual({ pairing: null, board: null });
});

test('un-paired in one tab, the other one neither keeps its keys nor writes them back', async () => {
  const server = createServer();
  const [here, there] = [server.open(), server.open()];
  await here.start(CODE);
  await there.start(null);
  await here.unpair();
  server.now.ms += HOUR_MS;
  await there.refresh();
  expect(there.getState()).toMatchObject({ kind: 'unpaired', is_revoked: false });
  expect(await kioskStore.load()).toEqual({ pairing: null, board: null });
});
