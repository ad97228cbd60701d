import { randomUUID } from 'node:crypto';
import { openOperator } from '../../apps/api/test/app/operator.ts';
import type { Server } from '../server/server.ts';
import type { Person } from './athlete.ts';

type Database = Awaited<ReturnType<typeof openOperator>>['database'];
type Email = Pick<Person, 'email'>;

export interface WrittenLine {
  by: Email;
  text: string;
  /** How long ago, in minutes. */
  minutes_ago: number;
  is_read?: boolean;
}

/** Rows that one statement writes. */
const BATCH = 1_000;

/**
 * Writes these messages, oldest first, to the chat of two people, which is created if they have none. Their open pages
 * are told nothing.
 */
export async function writeHistory(server: Server, one: Email, other: Email, lines: WrittenLine[]): Promise<string> {
  const operator = await openOperator(server);
  try {
    const { database } = operator;
    const emails = [one.email, other.email];
    const people = await database.selectFrom('users').select(['id', 'email']).where('email', 'in', emails).execute();
    const idOf = (athlete: Email) => people.find(({ email }) => email === athlete.email)?.id ?? '';
    const [user_low = '', user_high = ''] = people.map(({ id }) => id).sort();
    const chat = await findOrCreateChat(database, { user_low, user_high, created_by: idOf(one) });
    const now = server.now();
    const timeOf = (line: WrittenLine) => new Date(now - line.minutes_ago * 60_000);
    const rows = lines.map((line, index) => ({
      id: randomUUID(),
      chat_id: chat.id,
      seq: chat.last_seq + index + 1,
      sender_id: idOf(line.by),
      text: line.text,
      created_at: timeOf(line),
      read_at: line.is_read ? timeOf(line) : null,
    }));
    const unreadOf = (user_id: string) => rows.filter((row) => row.sender_id !== user_id && !row.read_at).length;
    const latest = lines.at(-1);
    await database
      .updateTable('chats')
      .set({
        last_seq: chat.last_seq + rows.length,
        ...(latest && { latest_at: timeOf(latest) }),
        low_unread: chat.low_unread + unreadOf(user_low),
        high_unread: chat.high_unread + unreadOf(user_high),
      })
      .where('id', '=', chat.id)
      .execute();
    for (let start = 0; start < rows.length; start += BATCH)
      await database
        .insertInto('messages')
        .values(rows.slice(start, start + BATCH))
        .execute();
    return chat.id;
  } finally {
    await operator.close();
  }
}

async function findOrCreateChat(
  database: Database,
  chat: { user_low: string; user_high: string; created_by: string },
): Promise<{ id: string; last_seq: number; low_unread: number; high_unread: number }> {
  const columns = ['id', 'last_seq', 'low_unread', 'high_unread'] as const;
  const found = await database
    .selectFrom('chats')
    .select(columns)
    .where('user_low', '=', chat.user_low)
    .where('user_high', '=', chat.user_high)
    .executeTakeFirst();
  if (found) return found;
  const row = { id: randomUUID(), ...chat };
  return database.insertInto('chats').values(row).returning(columns).executeTakeFirstOrThrow();
}
