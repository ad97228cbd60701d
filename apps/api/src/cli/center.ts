import { isUuidV4 } from '@sendlap/domain/ids.ts';
import { SPORTS, type Sport } from '@sendlap/domain/scoring.ts';
import { sql } from 'kysely';
import type { Database } from '#api/platform/database.ts';

export interface OpenCenter {
  id: string;
  name: string;
  time_zone: string;
  sports: Sport[];
}

/** A center that an operator named, or the words why there is nothing to be done with it. */
export async function findOpenCenter(database: Database, id: string): Promise<OpenCenter | string> {
  const { rows } = await sql<OpenCenter & { closed_at: Date | null }>`
    select c.id, c.name, c.time_zone, c.closed_at,
      array(select distinct f.type from sport_facilities f where f.sport_center_id = c.id order by 1) as sports
    from sport_centers c where c.id = ${id}`.execute(database);
  const [center] = rows;
  if (!center) return `There is no sport center ${id}.`;
  return center.closed_at ? `${center.name} is closed.` : center;
}

/** The id behind `--center`, or what is wrong with the words. */
export function readCenterId(center: string | undefined): { id: string } | string {
  if (center === undefined) return 'Name a sport center with --center.';
  return isUuidV4(center) ? { id: center.toLowerCase() } : `${center} is not the id of a sport center.`;
}

/** The sports behind `--sports climbing,swimming`, all of them in the order of the app, or what is wrong with the words. */
export function readSports(text: string): Sport[] | string {
  const names = text.split(',').map((name) => name.trim());
  const unknown = names.find((name) => !SPORTS.some((sport) => sport === name));
  return unknown === undefined ? SPORTS.filter((sport) => names.includes(sport)) : `${unknown} is not a sport.`;
}
