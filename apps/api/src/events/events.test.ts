import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { hearEachOther } from '#test/app/stream-events.ts';
import { openTestDatabase } from '#test/database/database.ts';
import type { UserEvent } from './event-store.ts';
import { type BroadcastEvent, createEvents, createEventWriter, type Events, type EventWriter } from './events.ts';

let own: Awaited<ReturnType<typeof openTestDatabase>>;
let here: Events;
let there: Events;
beforeAll(async () => {
  own = await openTestDatabase();
  here = createEvents(own.database, own.url);
  there = createEvents(own.database, own.url);
  await hearEachOther([here, there]);
});
afterAll(async () => {
  await here.close();
  await there.close();
  await own.close();
});

const board: BroadcastEvent = { type: 'leaderboard_changed', key: '2026-W40', sport_center_id: randomUUID() };
const decidedFor = (user_id: string): UserEvent => ({
  user_id,
  event: { type: 'scan_decided', op_id: randomUUID(), outcome: 'accepted', code: null },
});

function listen(events: Events, user_id: string) {
  const heard = { kept: 0, broadcasts: [] as BroadcastEvent[] };
  events.subscribe(user_id, {
    onNewEvents: () => {
      heard.kept += 1;
    },
    onEvent() {},
    onEphemeral: (frame) => heard.broadcasts.push(JSON.parse(/^data: (.*)$/m.exec(frame)?.[1] ?? '')),
  });
  return heard;
}

const announce = (writer: EventWriter, user_id: string) =>
  writer.transact(async (trx) => writer.publish(trx, [decidedFor(user_id)], [board]));

test('an event reaches its user, and a broadcast every user, once on every node', async () => {
  const [ada, ben] = [randomUUID(), randomUUID()];
  const heard = { here: listen(here, ada), there: listen(there, ada), ben: listen(there, ben) };
  await announce(here, ada);
  await vi.waitFor(() => expect(heard.ben.broadcasts).toEqual([board]));
  expect(heard.here).toEqual({ kept: 1, broadcasts: [board] });
  expect(heard.there).toEqual({ kept: 1, broadcasts: [board] });
  expect(heard.ben.kept).toBe(0);
});

test('a listener of broadcasts is called on this node before the write returns, and on every other node', async () => {
  const called: string[] = [];
  here.onBroadcast(() => called.push('here'));
  there.onBroadcast(() => called.push('there'));
  await here.transact(async (trx) => here.publish(trx, [decidedFor(randomUUID())], []));
  expect(called).toEqual([]);
  await announce(here, randomUUID());
  expect(called).toContain('here');
  await vi.waitFor(() => expect(called).toEqual(['here', 'there']));
  await announce(createEventWriter(own.database), randomUUID());
  await vi.waitFor(() => expect(called.toSorted()).toEqual(['here', 'here', 'there', 'there']));
});

test('every node receives the events of the operator CLI', async () => {
  const ada = randomUUID();
  const heard = [listen(here, ada), listen(there, ada)];
  await announce(createEventWriter(own.database), ada);
  await vi.waitFor(() => expect(heard.map(({ kept }) => kept)).toEqual([1, 1]));
});

test('the events of a transaction that fails are never sent', async () => {
  const [ada, ben] = [randomUUID(), randomUUID()];
  const heard = [listen(here, ada), listen(there, ada)];
  const failing = here.transact(async (trx) => {
    here.publish(trx, [decidedFor(ada)], [board]);
    throw new Error('changed our mind');
  });
  await expect(failing).rejects.toThrow('changed our mind');
  // Events arrive in order: an event that was announced before this one would have arrived by then.
  const last = listen(there, ben);
  await announce(here, ben);
  await vi.waitFor(() => expect(last.kept).toBe(1));
  expect(heard.map(({ kept }) => kept)).toEqual([0, 0]);
});

test('a listener of stored events is called on the node that stored them, and nowhere else', async () => {
  const ada = randomUUID();
  const [heard_here, heard_there]: [UserEvent[], UserEvent[]] = [[], []];
  here.onEventsStored((kept) => heard_here.push(...kept.filter(({ user_id }) => user_id === ada)));
  there.onEventsStored((kept) => heard_there.push(...kept.filter(({ user_id }) => user_id === ada)));
  const [told, delivered] = [decidedFor(ada), decidedFor(ada)];
  const on_other = listen(there, ada);
  await here.transact(async (trx) => {
    here.publish(trx, [told], []);
    expect(heard_here).toEqual([]);
  });
  await vi.waitFor(() => expect(on_other.kept).toBe(1));
  here.deliver([{ ...delivered, seq: 2 }]);
  await here.transact(async (trx) => here.publish(trx, [decidedFor(ada)], []));
  await vi.waitFor(() => expect(on_other.kept).toBe(2));
  expect(heard_here.slice(0, 2)).toMatchObject([told, delivered]);
  expect(heard_there).toEqual([]);
});

test('no event can be published outside of such a transaction', async () => {
  await own.database.transaction().execute(async (trx) => {
    expect(() => here.publish(trx, [decidedFor(randomUUID())], [])).toThrow('inside transact');
  });
});
