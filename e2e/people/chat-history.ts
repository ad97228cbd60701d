import { randomUUID } from 'node:crypto';
import { openOperator } from '../../apps/api/test/app/operator.ts';
import type { Server } from '../server/server.ts';
import type { Athlete } from './athlete.ts';

export interface WrittenLine {
  by: Pick<Athlete, 'email'>;
  text: string;
  /** How long ago, in minutes. */
  minutes_ago: number;
  is_read?: boolean;
}

/** Rows that one statement writes. */
const BATCH = 1_000;

/** Writes a chat between two people with these messages, oldest first, as if it had existed for long. */
export async function writeHistory(
  server: Server,
  one: Pick<Athlete, 'email'>,
  other: Pick<Athlete, 'email'>,
  lines: WrittenLine[],
): Promise<string> {
  const operator = await openOperator(server);
  try {
    const { database } = operator;
    const emails = [one.email, other.email];
    const people = await database.selectFrom('users').select(['id', 'email']).where('email', 'in', emails).execute();
    const idOf = (athlete: Pick<Athlete, 'email'>) => people.find(({ email }) => email === athlete.email)?.id ?? '';
    const [user_low = '', user_high = ''] = people.map(({ id }) => id).sort();
    const chat_id = randomUUID();
    const now = Date.now();
    const timeOf = (line: WrittenLine) => new Date(now - line.minutes_ago * 60_000);
    const rows = lines.map((line, index) => ({
      id: randomUUID(),
      chat_id,
      seq: index + 1,
      sender_id: idOf(line.by),
      text: line.text,
      created_at: timeOf(line),
      read_at: line.is_read ? timeOf(line) : null,
    }));
    const unreadOf = (user_id: string) => rows.filter((row) => row.sender_id !== user_id && !row.read_at).length;
    const latest = lines.at(-1);
    await database
      .insertInto('chats')
      .values({
        id: chat_id,
        user_low,
        user_high,
        created_by: idOf(one),
        last_seq: rows.length,
        latest_at: latest ? timeOf(latest) : null,
        low_unread: unreadOf(user_low),
        high_unread: unreadOf(user_high),
      })
      .execute();
    for (let start = 0; start < rows.length; start += BATCH)
      await database
        .insertInto('messages')
        .values(rows.slice(start, start + BATCH))
        .execute();
    return chat_id;
  } finally {
    await operator.close();
  }
}
