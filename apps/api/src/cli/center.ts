import { InvalidArgumentError } from '@commander-js/extra-typings';
import { isUuidV4 } from '@sendlap/domain/ids.ts';
import { SPORTS, type Sport } from '@sendlap/domain/sports.ts';
import { sql } from 'kysely';
import type { Database } from '#api/database/database.ts';
import { RefusedError } from './command.ts';

export interface OpenCenter {
  id: string;
  name: string;
  time_zone: string;
  sports: Sport[];
}

/** Returns the open center with this id. Throws RefusedError if there is no such center or it is closed. */
export async function findOpenCenter(database: Database, id: string): Promise<OpenCenter> {
  const { rows } = await sql<OpenCenter & { closed_at: Date | null }>`
    select c.id, c.name, c.time_zone, c.closed_at,
      array(select distinct f.type from sport_facilities f where f.sport_center_id = c.id order by 1) as sports
    from sport_centers c where c.id = ${id}`.execute(database);
  const [center] = rows;
  if (!center) throw new RefusedError(`There is no sport center ${id}.`);
  if (center.closed_at) throw new RefusedError(`${center.name} is closed.`);
  return center;
}

/** Reads the id of a sport center from the command line. */
export function parseCenterId(id: string): string {
  if (!isUuidV4(id)) throw new InvalidArgumentError(`${id} is not the id of a sport center.`);
  return id.toLowerCase();
}

/** Reads `climbing,swimming`. Returns the sports in the order of the app. */
export function parseSports(text: string): Sport[] {
  const names = text.split(',').map((name) => name.trim());
  const unknown = names.find((name) => !SPORTS.some((sport) => sport === name));
  if (unknown !== undefined) throw new InvalidArgumentError(`${unknown} is not a sport.`);
  return SPORTS.filter((sport) => names.includes(sport));
}
