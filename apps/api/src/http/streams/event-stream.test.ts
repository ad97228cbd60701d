import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { EVENTS_PATH } from '@sendlap/contract/events.ts';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { createEventPruning } from '#api/events/event-pruning.ts';
import { appendEvents } from '#api/events/event-store.ts';
import type { SseReader } from '#test/app/sse-reader.ts';
import { eventFor, expectEvents, storeEvents } from '#test/app/stream-events.ts';
import { openStreamNode, type StreamNode } from '#test/app/stream-node.ts';
import { openTestDatabase } from '#test/database/database.ts';

let own: Awaited<ReturnType<typeof openTestDatabase>>;
let node: StreamNode;
beforeAll(async () => {
  own = await openTestDatabase();
  // Effectively no polling tick, so that no event is found by polling.
  node = await openNode({ tick_ms: 600_000 });
});
afterAll(async () => {
  await node?.close();
  await own?.close();
});

const openNode = (timing: { tick_ms?: number } = {}) =>
  openStreamNode({ database: own.database, database_url: own.url, ...timing });

async function ask(headers: Record<string, string>, method = 'GET') {
  const request = get({ port: node.port, path: EVENTS_PATH, method, headers, agent: false });
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  response.resume();
  return response.statusCode;
}

describe('refusals', () => {
  test('without a session, for another type and for HEAD there is no stream', async () => {
    const { token, session_id } = await node.signIn();
    const authorization = `Bearer ${token}`;
    expect(await ask({})).toBe(401);
    expect(await ask({ authorization, accept: 'application/json' })).toBe(400);
    expect(await ask({ authorization }, 'HEAD')).toBe(404);
    await node.sessions.end(session_id, 'logout');
    expect(await ask({ authorization })).toBe(401);
  });

  test('of more than 20 streams of a user the oldest ends', async () => {
    const ada = await node.signIn();
    const ben = await node.read(await node.signIn());
    const streams: SseReader[] = [];
    for (let nth = 0; nth < 21; nth++) streams.push(await node.read(ada));
    await streams[0]?.ended;
    await storeEvents(node.events, ada, ['to all that are left']);
    for (const stream of streams.slice(1)) await expectEvents(stream, [[1, 'to all that are left']]);
    expect(streams[0]?.heard).toEqual([]);
    for (const stream of [...streams, ben]) stream.close();
  });
});

describe('a missed event', () => {
  test('comes once and in order, before new ones', async () => {
    const ada = await node.signIn();
    const first = await node.read(ada);
    await storeEvents(node.events, ada, ['one', 'two']);
    await expectEvents(first, [
      [1, 'one'],
      [2, 'two'],
    ]);
    first.close();
    await storeEvents(node.events, ada, ['three']);
    await storeEvents(node.events, ada, ['four']);
    const second = await node.read(ada, 2);
    await storeEvents(node.events, ada, ['five']);
    await expectEvents(second, [
      [3, 'three'],
      [4, 'four'],
      [5, 'five'],
    ]);
    second.close();
  });

  test('is not sent to a stream that did not ask for it', async () => {
    const ada = await node.signIn();
    await storeEvents(node.events, ada, ['old']);
    const stream = await node.read(ada);
    await storeEvents(node.events, ada, ['new']);
    await expectEvents(stream, [[2, 'new']]);
    stream.close();
  });

  test('is not skipped when its transaction stays open during the resume', async () => {
    const ada = await node.signIn();
    await storeEvents(node.events, ada, ['one']);
    const { promise: go_on, resolve: letGo } = Promise.withResolvers<void>();
    const { promise: written, resolve: isWritten } = Promise.withResolvers<void>();
    const held = node.events.transact(async (trx) => {
      const kept = [eventFor(ada.user_id, 'held')];
      await appendEvents(trx, kept);
      node.events.publish(trx, kept, []);
      isWritten();
      await go_on;
    });
    await written;
    // Waits for the counter's row lock, and commits after the transaction that holds it.
    const later = storeEvents(node.events, ada, ['later']);
    const stream = await node.read(ada, 0);
    await expectEvents(stream, [[1, 'one']]);
    letGo();
    await Promise.all([held, later]);
    await expectEvents(stream, [
      [1, 'one'],
      [2, 'held'],
      [3, 'later'],
    ]);
    stream.close();
  });

  test('is also one that is stored while the others are read', async () => {
    const ada = await node.signIn();
    await storeEvents(node.events, ada, ['one']);
    const read = vi.spyOn(node.events, 'readAfter');
    read.mockImplementationOnce(async (user_id, seq) => {
      const page = await node.events.readAfter(user_id, seq);
      await storeEvents(node.events, ada, ['two']);
      return page;
    });
    const stream = await node.read(ada, 0);
    await expectEvents(stream, [
      [1, 'one'],
      [2, 'two'],
    ]);
    read.mockRestore();
    stream.close();
  });
});

describe('resync', () => {
  test('is sent to a reader whose cursor is ahead of the server, with the cursor to resume from', async () => {
    const ada = await node.signIn();
    await storeEvents(node.events, ada, ['one', 'two']);
    const stream = await node.read(ada, 17);
    await storeEvents(node.events, ada, ['three']);
    await expectEvents(stream, [
      [2, 'resync'],
      [3, 'three'],
    ]);
    stream.close();
  });

  test('is sent in place of events that were removed, also in the middle', async () => {
    const ada = await node.signIn();
    await storeEvents(node.events, ada, ['one', 'two', 'three', 'four']);
    const remove = (seq: number) =>
      own.database.deleteFrom('user_events').where('user_id', '=', ada.user_id).where('seq', '=', seq).execute();
    await remove(3);
    const through = await node.read(ada, 1);
    await expectEvents(through, [
      [2, 'two'],
      [4, 'resync'],
    ]);
    const before = await node.read(ada, 2);
    await expectEvents(before, [[4, 'resync']]);
    await remove(4);
    const behind = await node.read(ada, 2);
    const at_end = await node.read(ada, 4);
    await storeEvents(node.events, ada, ['five']);
    await expectEvents(behind, [
      [4, 'resync'],
      [5, 'five'],
    ]);
    await expectEvents(at_end, [[5, 'five']]);
    for (const stream of [through, before, behind, at_end]) stream.close();
  });

  test('is sent to a device that was away while events older than seven days were removed', async () => {
    const ada = await node.signIn();
    await storeEvents(node.events, ada, ['old', 'older', 'new']);
    const at = (days: number) => new Date(Date.now() - days * 86_400_000);
    const events = own.database.updateTable('user_events').where('user_id', '=', ada.user_id);
    await events
      .set({ created_at: at(7.01) })
      .where('seq', '<', 3)
      .execute();
    await events
      .set({ created_at: at(6.99) })
      .where('seq', '=', 3)
      .execute();
    const pruning = createEventPruning({
      database: own.database,
      now: () => new Date(),
      log: { info() {}, warn() {} },
    });
    expect(await pruning.run()).toBe(2);
    expect(await pruning.run()).toBe(0);
    const [away, nearly] = [await node.read(ada, 0), await node.read(ada, 2)];
    await expectEvents(away, [[3, 'resync']]);
    await expectEvents(nearly, [[3, 'new']]);
    away.close();
    nearly.close();
  });
});

describe('an event that is announced with its number', () => {
  const keep = (user_id: string, names: string[]) =>
    own.database.transaction().execute((trx) =>
      appendEvents(
        trx,
        names.map((name) => eventFor(user_id, name)),
      ),
    );
  const delivery = (user_id: string, seq: number, name: string) => ({ seq, ...eventFor(user_id, name) });

  test('is sent directly if it is the next one, and never twice', async () => {
    const ada = await node.signIn();
    const stream = await node.read(ada);
    await storeEvents(node.events, ada, ['one']);
    await expectEvents(stream, [[1, 'one']]);
    await keep(ada.user_id, ['in the table']);
    // The text differs from the table's, so that it shows which source was used.
    node.events.deliver([delivery(ada.user_id, 2, 'as told')]);
    node.events.deliver([delivery(ada.user_id, 2, 'as told'), delivery(ada.user_id, 1, 'late')]);
    await storeEvents(node.events, ada, ['three']);
    await expectEvents(stream, [
      [1, 'one'],
      [2, 'as told'],
      [3, 'three'],
    ]);
    stream.close();
  });

  test('waits for the events before it', async () => {
    const ada = await node.signIn();
    const stream = await node.read(ada);
    await storeEvents(node.events, ada, ['one']);
    await expectEvents(stream, [[1, 'one']]);
    await keep(ada.user_id, ['two', 'three', 'four']);
    node.events.deliver([delivery(ada.user_id, 4, 'four')]);
    node.events.deliver([delivery(ada.user_id, 2, 'two'), delivery(ada.user_id, 3, 'three')]);
    await expectEvents(stream, [
      [1, 'one'],
      [2, 'two'],
      [3, 'three'],
      [4, 'four'],
    ]);
    stream.close();
  });
});

test('an ephemeral event reaches the named users, on all their devices, and no other user', async () => {
  const [ada, ben, cleo] = [await node.signIn(), await node.signIn(), await node.signIn()];
  const named = [await node.read(ada), await node.read(ada), await node.read(ben)];
  const other = await node.read(cleo);
  node.events.sendEphemeral([ada.user_id, ben.user_id], {
    type: 'typing',
    chat_id: randomUUID(),
    user_id: cleo.user_id,
  });
  node.events.sendEphemeral([], { type: 'typing', chat_id: randomUUID(), user_id: cleo.user_id });
  await storeEvents(node.events, cleo, ['after it']);
  for (const stream of named) await expectEvents(stream, [[null, 'typing']]);
  await expectEvents(other, [[1, 'after it']]);
  for (const stream of [...named, other]) stream.close();
});

test('a stream ends with its session, and no other does', async () => {
  const quick = await openNode({ tick_ms: 50 });
  const [ada, ben] = [await quick.signIn(), await quick.signIn()];
  const [ended, other] = [await quick.read(ada), await quick.read(ben)];
  await quick.sessions.end(ada.session_id, 'logout');
  await ended.ended;
  await storeEvents(quick.events, ben, ['still here']);
  await expectEvents(other, [[1, 'still here']]);
  await quick.close();
});

test('heartbeats are sent, and unannounced events are found', async () => {
  const quick = await openNode({ tick_ms: 5 });
  const ada = await quick.signIn();
  const stream = await quick.read(ada);
  await vi.waitFor(() => expect(stream.beats()).toBeGreaterThan(2));
  await own.database.transaction().execute((trx) => appendEvents(trx, [eventFor(ada.user_id, 'untold')]));
  await expectEvents(stream, [[1, 'untold']]);
  await quick.close();
});

test('a stream ends when its server is shut down', async () => {
  const going = await openNode();
  const stream = await going.read(await going.signIn());
  const closing = going.close();
  await stream.ended;
  await closing;
  expect(stream.heard).toEqual([]);
});
