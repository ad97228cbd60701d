import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import pg from 'pg';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { buildTestApp } from '#test/app/app.ts';
import { openTestDatabase } from '#test/database/database.ts';
import { openBreakableLine } from '#test/servers/breakable-line.ts';
import { NODE_LOCK, openEventChannel } from './event-channel.ts';
import { joinPayload, type NodeMessage, packPayloads } from './event-messages.ts';

afterEach(() => vi.restoreAllMocks());

const more = (): NodeMessage => ({ kind: 'more', user_id: randomUUID() });

/** Records the messages of all nodes, as a listener that does not count as a node. */
async function overhear(url: string) {
  const heard: (string | undefined)[] = [];
  const client = new pg.Client({ connectionString: url });
  client.on('notification', ({ payload }) => heard.push(payload));
  await client.connect();
  await client.query('listen sendlap_live');
  return { heard, client, close: () => client.end() };
}

test('after its database was away for a while, the app answers and listens once, as before', async () => {
  const own = await openTestDatabase();
  const line = await openBreakableLine(own.url);
  const { app, signIn } = await buildTestApp({ database_url: line.url });
  const { headers } = await signIn('Ada');
  const answers = async () => {
    const replies = [await app.inject('/readyz'), await app.inject({ url: '/v1/chats', headers })];
    return replies.map(({ statusCode }) => statusCode);
  };
  const countListening = async () => {
    const { rows } = await sql`select from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid() and application_name like 'sendlap_live%'`.execute(
      own.database,
    );
    return rows.length;
  };
  await vi.waitFor(async () => expect(await countListening()).toBe(1));
  await line.break();
  // A node whose retries accumulate would open this many connections.
  const tries = vi.spyOn(pg.Client.prototype, 'connect');
  await vi.waitFor(() => expect(tries.mock.calls.length).toBeGreaterThan(2));
  await line.mend();
  await vi.waitFor(async () => expect(await countListening()).toBeGreaterThan(0));
  await vi.waitFor(async () => expect(await answers()).toEqual([200, 200]));
  expect(await countListening()).toBe(1);
  await app.close();
  await line.close();
  await own.close();
}, 30_000);

test('a connection to PostgreSQL that fell silent is replaced, and events of other nodes arrive again', async () => {
  const own = await openTestDatabase();
  const line = await openBreakableLine(own.url);
  const [onMessage, onConnect] = [vi.fn(), vi.fn()];
  const timing = { check_interval_ms: 100, answer_timeout_ms: 1500 };
  const here = openEventChannel(line.url, { node_id: 'here', onMessage, onConnect, onPeer() {} }, timing);
  const there = openEventChannel(own.url, { node_id: 'there', onMessage() {}, onConnect() {}, onPeer() {} });
  await vi.waitFor(() => expect(onConnect.mock.calls[0]).toEqual([false]));
  const connected = onConnect.mock.calls.length;
  line.hush();
  await vi.waitFor(() => expect(onConnect.mock.calls[connected]).toEqual([true]));
  there.send([more()]);
  await vi.waitFor(() => expect(onMessage).toHaveBeenCalledOnce());
  await here.close();
  await there.close();
  await line.close();
  await own.close();
});

test('two nodes learn that they may have missed events while one of them could not listen', async () => {
  const own = await openTestDatabase();
  const line = await openBreakableLine(own.url);
  await line.break();
  const [onConnect, onPeer, otherConnect] = [vi.fn(), vi.fn(), vi.fn()];
  const there = openEventChannel(own.url, { node_id: 'there', onMessage() {}, onConnect: otherConnect, onPeer });
  await vi.waitFor(() => expect(otherConnect.mock.calls).toEqual([[false]]));
  const tries = vi.spyOn(pg.Client.prototype, 'connect');
  const here = openEventChannel(line.url, { node_id: 'here', onMessage() {}, onConnect, onPeer() {} });
  // Its streams and writers are still served, over other connections.
  here.send([more()]);
  there.send([more()]);
  await vi.waitFor(() => expect(tries.mock.settledResults.map(({ type }) => type)).toContain('rejected'));
  await line.mend();
  await vi.waitFor(() => expect(onConnect.mock.calls).toEqual([[true]]));
  await vi.waitFor(() => expect(onPeer.mock.calls).toEqual([[true]]));
  for (const channel of [here, there]) await channel.close();
  await line.close();
  await own.close();
});

describe('a node that was alone', () => {
  const hooksOf = (node_id: string) => ({ node_id, onMessage: vi.fn(), onConnect: vi.fn(), onPeer: vi.fn() });

  test('sends nothing without a listener, and everything to a new one, which learns the time of its first event', async () => {
    const own = await openTestDatabase();
    const [first, second] = [hooksOf('first'), hooksOf('second')];
    const wire = await overhear(own.url);
    const here = openEventChannel(own.url, first);
    await vi.waitFor(() => expect(first.onConnect).toHaveBeenCalledOnce());
    const unheard = more();
    here.send([unheard]);
    const there = openEventChannel(own.url, second);
    await vi.waitFor(() => expect(second.onPeer).toHaveBeenCalledOnce());
    const [told, answered] = [more(), more()];
    here.send([told]);
    there.send([answered]);
    await vi.waitFor(() => expect(second.onMessage.mock.calls).toEqual([[told]]));
    await vi.waitFor(() => expect(first.onMessage.mock.calls).toEqual([[answered]]));
    await vi.waitFor(() => expect(wire.heard).toContain(packPayloads('first', [told])[0]));
    expect(wire.heard).not.toContain(packPayloads('first', [unheard])[0]);
    for (const channel of [here, there, wire]) await channel.close();
    await own.close();
  });

  test('greets a node that it counted before hearing it', async () => {
    const own = await openTestDatabase();
    const first = hooksOf('first');
    const here = openEventChannel(own.url, first, { check_interval_ms: 50 });
    await vi.waitFor(() => expect(first.onConnect).toHaveBeenCalledOnce());
    // Listens first: in one transaction the node could be counted before it listens, and `here` is sent only once.
    const coming = await overhear(own.url);
    await coming.client.query(`select pg_advisory_lock_shared(${NODE_LOCK})`);
    await vi.waitFor(() => expect(coming.heard).toEqual([joinPayload('first', ['here'])]));
    await coming.close();
    await here.close();
    await own.close();
  });

  test('is alone again when the other has gone, and greets the next one', async () => {
    const own = await openTestDatabase();
    const [first, second, third] = [hooksOf('first'), hooksOf('second'), hooksOf('third')];
    const here = openEventChannel(own.url, first, { check_interval_ms: 50 });
    const gone = openEventChannel(own.url, second);
    await vi.waitFor(() => expect(second.onConnect).toHaveBeenCalledOnce());
    await gone.close();
    // Waits until the node has counted again, however long that takes: it has nothing to announce to a node that comes
    // earlier.
    const { rows } = await sql<{ at: string }>`select clock_timestamp()::text as at`.execute(own.database);
    await vi.waitFor(async () => {
      const counted = await sql`select from pg_stat_activity where datname = current_database() and state = 'idle'
        and query ~ 'from pg_locks' and pid <> pg_backend_pid() and query_start > ${rows[0]?.at}`.execute(own.database);
      expect(counted.rows).toHaveLength(1);
    });
    const wire = await overhear(own.url);
    const said: NodeMessage[] = [];
    const isSent = () => {
      const [last] = said.splice(0, 1, more());
      here.send(said);
      return !last || wire.heard.includes(packPayloads('first', [last])[0]);
    };
    await expect.poll(isSent, { interval: 100 }).toBe(false);
    const next = openEventChannel(own.url, third);
    await vi.waitFor(() => expect(third.onPeer).toHaveBeenCalledOnce());
    here.send([more()]);
    await vi.waitFor(() => expect(third.onMessage).toHaveBeenCalledOnce());
    for (const channel of [here, next, wire]) await channel.close();
    await own.close();
  });
});
