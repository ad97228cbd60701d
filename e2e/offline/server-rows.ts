import type { Operator } from '../../apps/api/test/app/operator.ts';

/** What the server has of some users. */
export interface ServerRows {
  activities: {
    id: string;
    user_id: string;
    status: string;
    started_at: Date;
    ended_at: Date | null;
    /** The day of the start in the center's zone. */
    local_date: string;
    time_zone: string;
    sport_center_id: string;
    sport_type: string;
    distance_m: number | null;
  }[];
  /** Accepted ones. */
  ops: { activity_id: string; kind: string; received_at: Date }[];
  /** Refused ops. */
  refusals: { activity_id: string; code: string | null; received_at: Date }[];
  /** In the order of their chats. */
  messages: { sender_id: string; text: string }[];
}

export async function readServerRows({ database }: Operator, user_ids: readonly string[]): Promise<ServerRows> {
  const [activities, decided, messages] = await Promise.all([
    database
      .selectFrom('activities')
      .innerJoin('sport_centers', 'sport_centers.id', 'activities.sport_center_id')
      .select(['activities.id', 'user_id', 'status', 'started_at', 'ended_at', 'local_date', 'time_zone'])
      .select(['sport_center_id', 'sport_type', 'distance_m'])
      .where('user_id', 'in', user_ids)
      .execute(),
    database
      .selectFrom('activity_ops')
      .select(['activity_id', 'kind', 'outcome', 'code', 'received_at'])
      .where('user_id', 'in', user_ids)
      .where('outcome', 'in', ['accepted', 'rejected'])
      .execute(),
    database
      .selectFrom('messages')
      .select(['sender_id', 'text'])
      .where('sender_id', 'in', user_ids)
      .orderBy('chat_id')
      .orderBy('seq')
      .execute(),
  ]);
  const decidedAs = (outcome: string) => decided.filter((op) => op.outcome === outcome);
  return { activities, ops: decidedAs('accepted'), refusals: decidedAs('rejected'), messages };
}
