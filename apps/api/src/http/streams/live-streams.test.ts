import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { AppError } from '#api/platform/errors.ts';
import { expectEvents, storeEvents } from '#test/app/stream-events.ts';
import { openStreamNode, type StreamNode } from '#test/app/stream-node.ts';
import { openTestDatabase } from '#test/database/database.ts';

let own: Awaited<ReturnType<typeof openTestDatabase>>;
beforeAll(async () => {
  own = await openTestDatabase();
});
afterAll(() => own?.close());

const openNode = (timing: { tick_ms: number; max_uncertain_ms?: number; now?: () => number }) =>
  openStreamNode({ database: own.database, database_url: own.url, ...timing });

test('a stream ends with the token that opened it, although its session continues', async () => {
  let now = Date.now();
  const quick = await openNode({ tick_ms: 20, now: () => now });
  const old = await quick.signIn();
  const ended = await quick.read(old);
  now += 599_000;
  const ben = await quick.signIn();
  const other = await quick.read(ben);
  now += 2_000;
  await ended.ended;
  await storeEvents(quick.events, ben, ['still here']);
  await expectEvents(other, [[1, 'still here']]);
  await quick.close();
});

test('a stream ends when its events are rolled back, as by an older copy of the database', async () => {
  const quick = await openNode({ tick_ms: 5 });
  const [ada, ben] = [await quick.signIn(), await quick.signIn()];
  for (const reader of [ada, ben]) await storeEvents(quick.events, reader, ['one', 'two']);
  const [ended, other] = [await quick.read(ada), await quick.read(ben)];
  const counter = own.database.updateTable('user_event_counters').where('user_id', '=', ada.user_id);
  await counter.set({ last_seq: 1 }).execute();
  await ended.ended;
  await storeEvents(quick.events, ben, ['still here']);
  await expectEvents(other, [[3, 'still here']]);
  await quick.close();
});

describe('while the database does not answer', () => {
  const silence = () => Promise.reject(new Error('Query read timeout'));
  const muteSessions = ({ sessions }: StreamNode) => {
    vi.spyOn(sessions, 'authenticateCached').mockReturnValue(undefined);
    return vi.spyOn(sessions, 'authenticate').mockImplementation(silence);
  };

  test('a stream stays open and sends later the events that it could not read; the stream of an ended session closes', async () => {
    const quick = await openNode({ tick_ms: 20 });
    const ada = await quick.signIn();
    const stream = await quick.read(ada);
    const authenticate = muteSessions(quick);
    const read = vi.spyOn(quick.events, 'readAfter').mockImplementation(silence);
    await storeEvents(quick.events, ada, ['not to be read']);
    await vi.waitFor(() => expect(authenticate.mock.calls.length).toBeGreaterThan(3));
    await vi.waitFor(() => expect(read.mock.calls.length).toBeGreaterThan(3));
    read.mockRestore();
    await expectEvents(stream, [[1, 'not to be read']]);
    authenticate.mockRejectedValue(new AppError('unauthenticated', 'It has ended'));
    await stream.ended;
    await quick.close();
  });

  test('a stream that cannot check its session ends after a limit', async () => {
    const quick = await openNode({ tick_ms: 20, max_uncertain_ms: 100 });
    const stream = await quick.read(await quick.signIn());
    muteSessions(quick);
    await stream.ended;
    await quick.close();
  });
});

test('readers who may have missed ephemeral events get a resync, and keep their cursor', async () => {
  const quick = await openNode({ tick_ms: 20 });
  const ada = await quick.signIn();
  const stream = await quick.read(ada);
  await storeEvents(quick.events, ada, ['one']);
  await expectEvents(stream, [[1, 'one']]);
  await vi.waitFor(
    async () => {
      // Ends only established connections: a connection that was cut off during each connect would never be
      // established.
      await sql`select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database()
        and application_name = 'sendlap_live' and state = 'idle' and query !~ 'listen |lock_shared'`.execute(
        own.database,
      );
      expect(stream.heard.at(-1)).toEqual({ id: null, event: { type: 'resync' } });
    },
    { interval: 1_200 },
  );
  expect(stream.last_id()).toBe(1);
  await quick.close();
});

test('a reader without any event yet knows the cursor to resume from', async () => {
  const node = await openNode({ tick_ms: 600_000 });
  const ada = await node.signIn();
  await storeEvents(node.events, ada, ['one', 'two']);
  const first = await node.read(ada);
  expect(first.last_id()).toBe(2);
  first.close();
  await storeEvents(node.events, ada, ['three']);
  const second = await node.read(ada, 2);
  await expectEvents(second, [[3, 'three']]);
  second.close();
  const newcomer = await node.read(await node.signIn());
  expect(newcomer.last_id()).toBe(0);
  newcomer.close();
  await node.close();
});
