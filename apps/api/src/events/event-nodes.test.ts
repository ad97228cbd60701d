import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { SseReader } from '#test/app/sse-reader.ts';
import { eventFor, expectEvents, hearEachOther, namesOf, storeEvents } from '#test/app/stream-events.ts';
import { openStreamNode, type Reader, type StreamNode } from '#test/app/stream-node.ts';
import { openTestDatabase } from '#test/database/database.ts';
import { appendEvents } from './event-store.ts';
import { createEventWriter } from './events.ts';

type Own = Awaited<ReturnType<typeof openTestDatabase>>;

/** Opens two nodes on one database whose channels are connected. */
async function openNodes(): Promise<{ own: Own; nodes: [StreamNode, StreamNode] }> {
  const own = await openTestDatabase();
  const open = () => openStreamNode({ database: own.database, database_url: own.url });
  const nodes: [StreamNode, StreamNode] = [await open(), await open()];
  await hearEachOther(nodes.map(({ events }) => events));
  return { own, nodes };
}

/** Writes an event in its own statement and delivers it to the streams directly, as chats do. */
async function deliver({ events }: StreamNode, { database }: Own, { user_id }: Reader, name: string): Promise<void> {
  const kept = eventFor(user_id, name);
  const seq = await database.transaction().execute(async (trx) => {
    await appendEvents(trx, [kept]);
    const row = await trx
      .selectFrom('user_event_counters')
      .select('last_seq')
      .where('user_id', '=', user_id)
      .executeTakeFirstOrThrow();
    return row.last_seq;
  });
  events.deliver([{ ...kept, seq }]);
}

const Step = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: fc.constantFrom('say', 'deliver'), at: fc.nat({ max: 1 }) }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constantFrom('cut', 'wait'), stream: fc.nat({ max: 2 }) }) },
);

/** Readers that are cut off at times get every event once and in order, whichever node sends and reads. */
async function hearAll({ own, nodes }: { own: Own; nodes: [StreamNode, StreamNode] }): Promise<void> {
  await fc.assert(
    fc.asyncProperty(fc.array(Step, { minLength: 5, maxLength: 40 }), async (steps) => {
      const ada = await nodes[0].signIn();
      const heard: [number | null, string][][] = [[], [], []];
      const open = (nth: number, last_id: number) => (nodes[nth % 2] ?? nodes[0]).read(ada, last_id);
      const streams: SseReader[] = await Promise.all([open(0, 0), open(1, 0), open(2, 0)]);
      const writes: Promise<void>[] = [];
      const cut = async (nth: number) => {
        const stream = streams[nth];
        stream?.close();
        heard[nth]?.push(...(stream ? namesOf(stream) : []));
        streams[nth] = await open(nth + writes.length, heard[nth]?.at(-1)?.[0] ?? 0);
      };
      for (const step of steps) {
        if ('stream' in step) {
          if (step.kind === 'wait') await Promise.all(writes);
          else await cut(step.stream);
          continue;
        }
        const node = nodes[step.at] ?? nodes[0];
        const name = `nr ${writes.length}`;
        writes.push(step.kind === 'say' ? storeEvents(node.events, ada, [name, name]) : deliver(node, own, ada, name));
      }
      await Promise.all(writes);
      const rows = await nodes[0].events.readAfter(ada.user_id, 0);
      const all = rows.map(({ seq, event }) => [seq, event.type === 'appeal_asked' ? event.sport_center_name : '']);
      for (const [nth, stream] of streams.entries()) {
        await vi.waitFor(() => expect([...(heard[nth] ?? []), ...namesOf(stream)]).toEqual(all));
        stream.close();
      }
    }),
    { numRuns: 12 },
  );
}

describe('two nodes send each other', () => {
  let scene: Awaited<ReturnType<typeof openNodes>>;
  beforeAll(async () => {
    scene = await openNodes();
  });
  afterAll(async () => {
    for (const node of scene?.nodes ?? []) await node.close();
    await scene?.own.close();
  });

  test(
    'everything, once and in order, to readers who are cut off at any time [property]',
    () => hearAll(scene),
    60_000,
  );

  test('an event itself, and for a very large one a notice that it exists', async () => {
    const { own, nodes } = scene;
    const ada = await nodes[0].signIn();
    const stream = await nodes[1].read(ada);
    await storeEvents(nodes[0].events, ada, ['first']);
    await expectEvents(stream, [[1, 'first']]);
    const read = vi.spyOn(nodes[1].events, 'readAfter');
    await deliver(nodes[0], own, ada, 'small');
    await expectEvents(stream, [
      [1, 'first'],
      [2, 'small'],
    ]);
    const large = 'ü'.repeat(5000);
    await deliver(nodes[0], own, ada, large);
    await expectEvents(stream, [
      [1, 'first'],
      [2, 'small'],
      [3, large],
    ]);
    expect(read.mock.calls.map(([, seq]) => seq)).toEqual([2]);
    stream.close();
  });

  test('an ephemeral event', async () => {
    const { nodes } = scene;
    const [ada, ben] = [await nodes[0].signIn(), await nodes[0].signIn()];
    const [named, other] = [await nodes[1].read(ada), await nodes[1].read(ben)];
    nodes[0].events.sendEphemeral([ada.user_id], { type: 'presence_changed', sport_center_ids: [randomUUID()] });
    await storeEvents(nodes[0].events, ben, ['after it']);
    await expectEvents(named, [[null, 'presence_changed']]);
    await expectEvents(other, [[1, 'after it']]);
    for (const stream of [named, other]) stream.close();
  });

  test('an ephemeral event to very many users', async () => {
    const { nodes } = scene;
    const [ada, ben] = [await nodes[0].signIn(), await nodes[0].signIn()];
    const streams = [await nodes[1].read(ada), await nodes[1].read(ben)];
    const others = Array.from({ length: 450 }, () => randomUUID());
    const event = { type: 'presence_changed' as const, sport_center_ids: [randomUUID()] };
    nodes[0].events.sendEphemeral([ada.user_id, ...others, ben.user_id], event);
    for (const stream of streams) await expectEvents(stream, [[null, 'presence_changed']]);
    for (const stream of streams) stream.close();
  });

  test('the last event before a node closes', async () => {
    const { own, nodes } = scene;
    const going = await openStreamNode({ database: own.database, database_url: own.url });
    await hearEachOther([going.events, nodes[0].events]);
    const ada = await nodes[0].signIn();
    const stream = await nodes[0].read(ada);
    going.events.sendEphemeral([ada.user_id], { type: 'typing', chat_id: randomUUID(), user_id: ada.user_id });
    await going.close();
    await expectEvents(stream, [[null, 'typing']]);
    stream.close();
  });

  test('the events that the operator CLI writes', async () => {
    const { own, nodes } = scene;
    const ada = await nodes[0].signIn();
    const streams = [await nodes[0].read(ada), await nodes[1].read(ada)];
    await storeEvents(createEventWriter(own.database), ada, ['from elsewhere']);
    for (const stream of streams) await expectEvents(stream, [[1, 'from elsewhere']]);
    for (const stream of streams) stream.close();
  });
});
