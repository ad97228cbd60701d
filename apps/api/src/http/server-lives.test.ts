import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { expectEvents, storeEvents } from '#test/app/stream-events.ts';
import { openStreamNode } from '#test/app/stream-node.ts';
import { type MortalPostgres, openMortalPostgres, patiently } from '#test/database/mortal-postgres.ts';
import { type Database, openDatabase } from '../database/database.ts';
import { createRecentChanges } from '../sessions/recent-changes.ts';

let postgres: MortalPostgres;
let database: Database;
beforeAll(async () => {
  postgres = await openMortalPostgres();
  database = openDatabase(postgres.url);
});
afterAll(async () => {
  await database?.destroy();
  await postgres?.remove();
});
afterEach(() => vi.restoreAllMocks());

test('a stream gets the events that a promoted standby stores under the numbers of lost ones', async () => {
  // An hour per tick, so that no polling happens and only the new connection detects the failover.
  const openNode = () => openStreamNode({ database, database_url: postgres.url, tick_ms: 3_600_000 });
  const first = await openNode();
  const ada = await first.signIn();
  await storeEvents(first.events, ada, ['there']);
  await first.close();
  await postgres.makeStandby();
  await patiently(() => sql`select`.execute(database));
  // A new node: the stream of a node that was connected before would sometimes notice that restart.
  const node = await openNode();
  const stream = await node.read(ada);
  await patiently(() => storeEvents(node.events, ada, ['one', 'two']));
  await expectEvents(stream, [
    [2, 'one'],
    [3, 'two'],
  ]);
  await postgres.failOver();
  await vi.waitFor(() => expect(stream.heard.at(-1)).toMatchObject({ id: 1, event: { type: 'resync' } }));
  await patiently(() => storeEvents(node.events, ada, ['another one']));
  await expectEvents(stream, [
    [2, 'one'],
    [3, 'two'],
    [1, 'resync'],
    [2, 'another one'],
  ]);
  await node.close();
}, 120_000);

test('cached user facts are dropped with a promoted standby, which may never have received their changes', async () => {
  let clock_ms = 0;
  const id = randomUUID();
  const user = { id, public_id: id.slice(0, 20), email: '', name: 'Ada' };
  await patiently(() => database.insertInto('users').values(user).execute());
  await postgres.makeStandby();
  await patiently(() => database.updateTable('users').set({ name: 'Eva' }).where('id', '=', id).execute());
  const changes = createRecentChanges(database);
  const told: (string | undefined)[] = [];
  changes.onUserChange((user_id) => told.push(user_id));
  vi.spyOn(performance, 'now').mockImplementation(() => clock_ms);
  const poll = async () => {
    clock_ms += 4_001;
    await patiently(async () => changes.ensureFresh());
  };
  await poll();
  await poll();
  told.length = 0;
  await poll();
  expect(told).toEqual([]);
  await postgres.failOver();
  await poll();
  expect(told).toEqual([undefined]);
}, 120_000);
