import type { Intensity } from '@sendlap/domain/sports/sport-record.ts';
import type { Sport } from '@sendlap/domain/sports.ts';
import { sql } from 'kysely';
import type { Database } from '#api/database/database.ts';
import { isInForce } from '#api/database/referee-in-force.ts';
import { latestEndOf, MIN_FRIENDSHIP_MS } from './scan-method.ts';

/** An activity whose code a phone may show now. */
export interface ConfirmableActivity {
  id: string;
  user_id: string;
  public_id: string;
  user_name: string;
  sport_center_id: string;
  sport_type: Sport;
  started_at: Date;
  ended_at: Date | null;
  paused_s: number;
  intensity: Intensity | null;
  distance_m: number | null;
}

/**
 * Lists the finished, unvalidated activities of others, ended after `since`, that this user could confirm now: as a
 * referee of the center and the sport (then also those appealed after `since`, and those of a weaker proof), or as a
 * friend of at least a day who was active there at the same time. No other activity is considered.
 */
export async function listConfirmableActivities(
  database: Database,
  user_id: string,
  now: Date,
  since: Date,
): Promise<ConfirmableActivity[]> {
  const befriended_before = new Date(now.getTime() - MIN_FRIENDSHIP_MS);
  const { rows } = await sql<ConfirmableActivity>`
    with mine as (
      select sport_center_id, unnest(sport_types) as sport_type from referees r
      where user_id = ${user_id} and ${isInForce(now)}
    ), friends as (
      select user_high as id from friendships where user_low = ${user_id} and created_at <= ${befriended_before}
      union all
      select user_low from friendships where user_high = ${user_id} and created_at <= ${befriended_before}
    ), shown as (
      select a.* from activities a join mine m using (sport_center_id, sport_type)
      where (a.status = 'finished' or a.validation = 'peer') and a.ended_at >= ${since}
      union
      select a.* from activities a join mine m using (sport_center_id, sport_type)
      where a.status = 'finished' and a.appealed_at >= ${since}
      union
      select a.* from activities a join friends f on f.id = a.user_id
        join activities own on own.user_id = ${user_id} and own.sport_center_id = a.sport_center_id
          and own.status in ('active', 'finished', 'validated')
          and own.started_at < a.ended_at and ${latestEndOf('own')} > a.started_at
      where a.status = 'finished' and a.ended_at >= ${since}
    )
    select s.id, s.user_id, u.public_id, u.name as user_name, s.sport_center_id, s.sport_type, s.started_at, s.ended_at,
      coalesce(s.paused_s, 0) as paused_s, s.intensity, s.distance_m
    from shown s join users u on u.id = s.user_id
    where u.is_active and s.user_id <> ${user_id}`.execute(database);
  return rows;
}
