import { randomUUID } from 'node:crypto';
import { MESSAGE_PAGE_SIZE } from '@sendlap/domain/messages.ts';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { openTestDatabase } from '#test/database/database.ts';
import { fillChats, makePairs } from '#test/measured/chat-people.ts';
import { listMessages } from './store.ts';
import { messagesStatement } from './store-messages.ts';

test('a plan made for an empty table looks up each id by its index', async () => {
  const { database, close } = await openTestDatabase();
  try {
    await sql`analyze`.execute(database);
    const message = { id: randomUUID(), chat_id: randomUUID(), sender_id: randomUUID(), text: 'Hello' };
    const { sql: text, parameters } = messagesStatement(database, [message], new Date());
    const values = parameters.map((value) =>
      Array.isArray(value)
        ? sql.lit(`{${value.join(',')}}`)
        : sql.lit(value instanceof Date ? value.toISOString() : value),
    );
    const plan = await database.connection().execute(async (connection) => {
      await sql`set plan_cache_mode = force_generic_plan`.execute(connection);
      await sql`set enable_seqscan = off`.execute(connection);
      await sql`${sql.raw(`prepare sending as ${text}`)}`.execute(connection);
      const { rows } = await sql<{ 'QUERY PLAN': string }>`
        explain execute sending (${sql.join(values)})`.execute(connection);
      return rows.map((row) => row['QUERY PLAN']).join('\n');
    });
    for (const way of ['Seq Scan', 'Materialize', 'Hash Join', 'hashed']) expect(plan).not.toContain(way);
    for (const condition of ['users_pkey', 'chats_pkey', 'messages_pkey', 'friendships_\\w+', 'blocks_\\w+']) {
      expect(plan).toMatch(new RegExp(`Index Scan using ${condition} on .*\\n\\s+Index Cond: \\(.* = (s|chats)\\.`));
    }
  } finally {
    await close();
  }
});

test.each([
  ['the newest page', { offset: 0 }],
  ['a page before a message', { offset: 0, before: 900 }],
  ['a page after a message', { offset: 0, after: 900 }],
])('%s is planned once, not for every call', async (_page, place) => {
  const { database, close } = await openTestDatabase();
  try {
    const [pair] = await makePairs(database, 1, 1);
    if (!pair) throw new Error('there is no chat');
    await fillChats(database, [pair.chat_id], 10_000);
    const plans = await database.connection().execute(async (connection) => {
      const page = { chat_id: pair.chat_id, limit: MESSAGE_PAGE_SIZE, ...place };
      for (let call = 0; call < 20; call += 1) {
        const messages = await listMessages(connection, pair.sender_id, page);
        expect(JSON.parse(messages ?? '')).toHaveLength(MESSAGE_PAGE_SIZE);
      }
      const { rows } = await sql<{ generic: number; custom: number }>`
        select generic_plans::int as generic, custom_plans::int as custom from pg_prepared_statements
        where statement like '%sender_name%'`.execute(connection);
      return rows;
    });
    // PostgreSQL makes five custom plans before it decides on a generic one.
    expect(plans).toEqual([{ generic: 15, custom: 5 }]);
  } finally {
    await close();
  }
});
