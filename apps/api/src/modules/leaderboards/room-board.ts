import { PRESENCE_MIN_AGE } from '@sendlap/domain/locations.ts';
import { NAMELESS } from '@sendlap/domain/names.ts';
import { sql } from 'kysely';
import type { Database } from '#api/platform/database.ts';

const SHOWN = 20;

export interface RoomBoardRow {
  rank: number;
  name: string;
  points: number;
}

/**
 * The best 20 of a center's week as everybody in the room may see them: names only. Whoever is locked, or said to be
 * under 16, is not there, and ranks and total are those of the others.
 */
export async function readRoomBoard(
  database: Database,
  sport_center_id: string,
  week_key: string,
): Promise<{ total: number; items: RoomBoardRow[] }> {
  const { rows } = await sql<{ rank: number; name: string | null; points: number; total: number }>`
    select rank() over (order by s.points desc)::int as rank, u.display_name as name, s.points,
      count(*) over ()::int as total
    from week_scores s join users u on u.id = s.user_id left join bio_info b on b.user_id = s.user_id
    where s.week_key = ${week_key} and s.sport = 'all' and s.sport_center_id = ${sport_center_id} and s.points > 0
      and u.erase_after is null and (b.age is null or b.age >= ${PRESENCE_MIN_AGE})
    order by s.points desc, s.reached_at, s.user_id
    limit ${SHOWN}`.execute(database);
  const items = rows.map(({ rank, name, points }) => ({ rank, name: name ?? NAMELESS, points }));
  return { total: rows[0]?.total ?? 0, items };
}
