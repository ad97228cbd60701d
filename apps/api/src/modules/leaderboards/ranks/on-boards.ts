import { PRESENCE_MIN_AGE } from '@sendlap/domain/locations.ts';
import { sql } from 'kysely';

/** SQL condition: public boards show the user `u`: not opted out, not locked, and not known to be too young. */
export const IS_ON_BOARDS = sql<boolean>`(u.boards and u.is_active
  and not exists (select from bio_info b where b.user_id = u.id and b.age < ${sql.lit(PRESENCE_MIN_AGE)}))`;
