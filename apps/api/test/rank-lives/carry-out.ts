import { sql } from 'kysely';
import type { Database, Trx } from '#api/database/database.ts';
import type { EventWriter } from '#api/events/events.ts';
import { boardCtes } from '#api/modules/leaderboards/board-scores.ts';
import { changeVisibility } from '#api/modules/leaderboards/service.ts';
import { afterDelay } from '../delays.ts';
import type { CountedActivity } from '../scenes/board-model.ts';
import type { Change } from './world.ts';

/** A change in the form in which it is sent to the process that writes it. */
export interface RankOrder {
  id: string;
  user_id: string;
  at_ms: number;
  /** How long the transaction stays open after its write, so that others overtake it. */
  hold_ms: number;
  /** All validated activities of each week that changed. */
  weeks?: { week_key: string; activities: CountedActivity[] }[];
  boards?: boolean;
  age?: number | null;
  is_locked?: boolean;
}

export function orderOf(change: Change, id: string, hold_ms: number): RankOrder {
  const { athlete, at_ms } = change;
  const order = { id, user_id: athlete.user_id, at_ms, hold_ms };
  if (change.kind === 'visibility') {
    const { boards, age, is_locked } = change;
    return {
      ...order,
      ...(boards === undefined ? {} : { boards }),
      ...(age === undefined ? {} : { age }),
      ...(is_locked === undefined ? {} : { is_locked }),
    };
  }
  const weeks = change.weeks.map((week_key) => ({
    week_key,
    activities: athlete.live.filter((one) => one.week_key === week_key),
  }));
  return { ...order, weeks };
}

/**
 * Runs the code of validations and settings. The proof that the order was carried out is written in the same
 * transaction.
 */
export async function carryOut(events: EventWriter, order: RankOrder): Promise<void> {
  if (order.weeks) {
    const { weeks } = order;
    await events.transact(async (trx) => {
      await sql`select id from users where id = ${order.user_id} for no key update`.execute(trx);
      await writeWeeks(trx, order, weeks);
      await end(trx, order);
    });
    return;
  }
  await changeVisibility(events, order.user_id, async (trx) => {
    await writeVisibility(trx, order);
    await end(trx, order);
  });
}

async function writeWeeks(trx: Trx, order: RankOrder, weeks: NonNullable<RankOrder['weeks']>): Promise<void> {
  const scored = weeks.map(({ week_key, activities }) => ({
    week_key,
    activities: activities.map((one) => ({ ...one, validated_at: new Date(one.validated_at_ms) })),
  }));
  const parts = boardCtes(order.user_id, scored, new Date(order.at_ms));
  if (parts.length > 0) await sql`with ${sql.join(parts)} select 1`.execute(trx);
}

async function writeVisibility(trx: Trx, { user_id, boards, age, is_locked }: RankOrder): Promise<void> {
  if (boards !== undefined) await trx.updateTable('users').set({ boards }).where('id', '=', user_id).execute();
  if (is_locked !== undefined) {
    await trx.updateTable('users').set({ is_active: !is_locked }).where('id', '=', user_id).execute();
  }
  if (age === undefined) return;
  await trx.deleteFrom('bio_info').where('user_id', '=', user_id).execute();
  if (age === null) return;
  await sql`insert into bio_info (id, user_id, age, weight_kg, height_cm)
    values (gen_random_uuid(), ${user_id}, ${age}, 60, 170)`.execute(trx);
}

async function end(trx: Trx, { id, hold_ms }: RankOrder): Promise<void> {
  await sql`insert into done_changes (id) values (${id})`.execute(trx);
  if (hold_ms > 0) await afterDelay(hold_ms);
}

export async function makeDoneTable(database: Database): Promise<void> {
  await sql`create table done_changes (id uuid primary key)`.execute(database);
}

export async function isDone(database: Database, id: string): Promise<boolean> {
  const { rows } = await sql`select from done_changes where id = ${id}`.execute(database);
  return rows.length > 0;
}
