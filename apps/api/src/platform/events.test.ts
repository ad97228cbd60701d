import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { openTestDatabase } from '#test/database.ts';
import type { KeptFor } from './event-store.ts';
import { type BroadcastType, createEvents, createEventWriter, type Events, type EventWriter } from './events.ts';

let own: Awaited<ReturnType<typeof openTestDatabase>>;
let here: Events;
let there: Events;
beforeAll(async () => {
  own = await openTestDatabase();
  here = createEvents(own.database, own.url);
  there = createEvents(own.database, own.url);
  await vi.waitFor(async () => {
    const { rows } = await sql`select from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid() and query like '%listen %'`.execute(own.database);
    expect(rows).toHaveLength(2);
  });
});
afterAll(async () => {
  await here.close();
  await there.close();
  await own.close();
});

const board: BroadcastType = { type: 'leaderboard_changed', key: '2026-W40', sport_center_id: randomUUID() };
const decidedFor = (user_id: string): KeptFor => ({
  user_id,
  event: { type: 'scan_decided', op_id: randomUUID(), outcome: 'accepted', code: null },
});

function listen(events: Events, user_id: string) {
  const heard = { kept: 0, broadcasts: [] as BroadcastType[] };
  events.subscribe(user_id, {
    onKept: () => {
      heard.kept += 1;
    },
    onBroadcast: (event) => heard.broadcasts.push(event),
  });
  return heard;
}

const say = (writer: EventWriter, user_id: string) =>
  writer.transact(async (trx) => writer.tell(trx, [decidedFor(user_id)], [board]));

test('what is told is heard once on every node after the commit, by its user and on every board', async () => {
  const [ada, ben] = [randomUUID(), randomUUID()];
  const heard = { here: listen(here, ada), there: listen(there, ada), ben: listen(there, ben) };
  await say(here, ada);
  await vi.waitFor(() => expect(heard.ben.broadcasts).toEqual([board]));
  expect(heard.here).toEqual({ kept: 1, broadcasts: [board] });
  expect(heard.there).toEqual({ kept: 1, broadcasts: [board] });
  expect(heard.ben.kept).toBe(0);
});

test('whoever follows broadcasts is called before their writer goes on, and on every node', async () => {
  const called: string[] = [];
  here.onBroadcast(() => called.push('here'));
  there.onBroadcast(() => called.push('there'));
  await here.transact(async (trx) => here.tell(trx, [decidedFor(randomUUID())], []));
  expect(called).toEqual([]);
  await say(here, randomUUID());
  expect(called).toContain('here');
  await vi.waitFor(() => expect(called).toEqual(['here', 'there']));
  await say(createEventWriter(own.database), randomUUID());
  await vi.waitFor(() => expect(called.toSorted()).toEqual(['here', 'here', 'there', 'there']));
});

test('the operator’s line is heard on every node', async () => {
  const ada = randomUUID();
  const heard = [listen(here, ada), listen(there, ada)];
  await say(createEventWriter(own.database), ada);
  await vi.waitFor(() => expect(heard.map(({ kept }) => kept)).toEqual([1, 1]));
});

test('of a transaction that fails nobody hears anything', async () => {
  const [ada, ben] = [randomUUID(), randomUUID()];
  const heard = [listen(here, ada), listen(there, ada)];
  const failing = here.transact(async (trx) => {
    here.tell(trx, [decidedFor(ada)], [board]);
    throw new Error('changed our mind');
  });
  await expect(failing).rejects.toThrow('changed our mind');
  // Whatever had been said before this would have been heard before it.
  const last = listen(there, ben);
  await say(here, ben);
  await vi.waitFor(() => expect(last.kept).toBe(1));
  expect(heard.map(({ kept }) => kept)).toEqual([0, 0]);
});

test('outside of such a transaction nothing can be told', async () => {
  await own.database.transaction().execute(async (trx) => {
    expect(() => here.tell(trx, [decidedFor(randomUUID())], [])).toThrow('inside transact');
  });
});
