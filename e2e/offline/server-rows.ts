import type { Operator } from '../../apps/api/test/app/operator.ts';

/** What the server has of some users. */
export interface ServerRows {
  activities: { id: string; user_id: string; status: string; started_at: Date; ended_at: Date | null }[];
  /** Accepted ones. */
  ops: { activity_id: string; kind: string }[];
  messages: { sender_id: string; text: string }[];
}

export async function readServerRows({ database }: Operator, user_ids: readonly string[]): Promise<ServerRows> {
  const [activities, ops, messages] = await Promise.all([
    database
      .selectFrom('activities')
      .select(['id', 'user_id', 'status', 'started_at', 'ended_at'])
      .where('user_id', 'in', user_ids)
      .execute(),
    database
      .selectFrom('activity_ops')
      .select(['activity_id', 'kind'])
      .where('user_id', 'in', user_ids)
      .where('outcome', '=', 'accepted')
      .execute(),
    database.selectFrom('messages').select(['sender_id', 'text']).where('sender_id', 'in', user_ids).execute(),
  ]);
  return { activities, ops, messages };
}
