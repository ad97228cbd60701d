import { InvalidArgumentError } from '@commander-js/extra-typings';
import { isUuidV4 } from '@sendlap/domain/ids.ts';
import { SPORTS, type Sport } from '@sendlap/domain/sports.ts';
import type { Database } from '#api/database/database.ts';
import { findStaffedCenter, type StaffedCenter } from '#api/modules/center-staff/store.ts';
import { RefusedError } from './command.ts';

/** Returns the open center with this id. Throws RefusedError if there is no such center or it is closed. */
export async function findOpenCenter(database: Database, id: string): Promise<StaffedCenter> {
  const center = await findStaffedCenter(database, id);
  if (!center) throw new RefusedError(`There is no sport center ${id}.`);
  if (center.is_closed) throw new RefusedError(`${center.name} is closed.`);
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
