import { type RawBuilder, sql } from 'kysely';

/** Whether a right `r` of a referee is in force at this moment; as `isValidAt` of referees, in SQL. */
export function isInForce(at: Date): RawBuilder<boolean> {
  return sql`(r.valid_from <= ${at} and (r.valid_until is null or r.valid_until > ${at})
    and (r.revoked_at is null or r.revoked_at > ${at}))`;
}
