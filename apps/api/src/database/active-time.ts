import { type RawBuilder, sql } from 'kysely';

/** SQL of the seconds from start to end without the pauses, of the activity with this alias; null while it runs. */
export function activeSecondsOf(alias: string): RawBuilder<number> {
  const column = (name: string) => sql.ref(`${alias}.${name}`);
  return sql<number>`(
    extract(epoch from ${column('ended_at')} - ${column('started_at')}) - coalesce(${column('paused_s')}, 0))`;
}
