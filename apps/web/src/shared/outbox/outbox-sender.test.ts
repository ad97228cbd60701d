import 'fake-indexeddb/auto';
import type { Op } from '@sendlap/contract/activities.ts';
import { expect, test } from 'vitest';
import { reply, tokenOf } from '#test/unit/fake-server.ts';
import { openStore } from '#test/unit/outbox-store.ts';
import { createOutboxSender } from './outbox-sender.ts';

const ANA = '11111111-1111-4111-8111-111111111111';
/** Server time; it does not move. */
const SERVER_MS = Date.parse('2026-11-21T09:45:00Z');
const SAVED_AT = '2026-11-21T10:45:00.000Z';
const moment = { wall_ms: Date.parse(SAVED_AT), monotonic_ms: 0, page_id: 'page' };

/** The worker of a device whose clock is an hour fast. `onLock`: called when a lock is taken. */
async function openWorker({
  server_time,
  onLock,
}: {
  server_time: boolean;
  onLock: (moveClock: (by_ms: number) => void) => void;
}) {
  let now = moment.wall_ms;
  const { store, database } = await openStore({ now: () => now, clockNote: () => ({ moment, before: null }) });
  const [sent, asked]: [Op[], string[]] = [[], []];
  const headers: Record<string, string> = server_time ? { 'x-server-time': String(SERVER_MS) } : {};
  const wake = createOutboxSender({
    async fetch(input, init) {
      const path = String(input);
      asked.push(path);
      if (path === '/v1/auth/refresh') return reply({ access_token: tokenOf(ANA), expires_in: 600 }, 200, headers);
      const { ops } = JSON.parse(String(init?.body)) as { ops: Op[] };
      sent.push(...ops);
      return reply({ results: ops.map(({ op_id }) => ({ op_id, outcome: 'accepted' })) }, 200, headers);
    },
    base: '',
    locks: undefined,
    session_channel: { post() {} },
    channel: { post() {} },
    hasSessionKey: async () => true,
    createProof: async () => 'proof',
    isOnline: () => true,
    open: async () => database,
    lock(work) {
      onLock((by_ms) => {
        now += by_ms;
      });
      return work();
    },
    lockChat: (_, work) => work(),
    now: () => now,
    monotonicNow: () => 0,
    newId: () => crypto.randomUUID(),
    random: () => 0,
    wait: async () => {},
  });
  const [op_id, client_id] = [crypto.randomUUID(), crypto.randomUUID()];
  await store.saveOp(ANA, { kind: 'finish', op_id, client_id, ended_at: SAVED_AT });
  return { wake: () => wake(() => {}), sent, asked };
}

test('a time in doubt is corrected although the clock was set while the worker waited for a page', async () => {
  let lock_count = 0;
  const { wake, sent } = await openWorker({
    server_time: true,
    onLock(moveClock) {
      lock_count += 1;
      // The second one is that of the sending, after the refresh has measured the clock.
      if (lock_count === 2) moveClock(60_000);
    },
  });
  expect(await wake()).toBe('done');
  expect(sent).toMatchObject([{ ended_at: '2026-11-21T09:44:00.000Z' }]);
});

test('a server that does not send its time is not asked for it again', async () => {
  const { wake, sent, asked } = await openWorker({ server_time: false, onLock() {} });
  expect(await wake()).toBe('done');
  expect(asked).toEqual(['/v1/auth/refresh', '/v1/activities/sync']);
  expect(sent).toMatchObject([{ ended_at: SAVED_AT }]);
});
