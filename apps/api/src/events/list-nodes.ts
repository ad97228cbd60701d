import { sql } from 'kysely';
import type { Database } from '../database/database.ts';
import { CHANNEL } from './event-channel.ts';

/** A running server process of this database. */
export interface RunningNode {
  version: string;
  name: string;
}

/** Returns the nodes that listen for each other's messages now. A node without a title has neither version nor name. */
export async function listNodes(database: Database): Promise<RunningNode[]> {
  const { rows } = await sql<{ title: string }>`
    select application_name as title from pg_stat_activity
    where datname = current_database() and (application_name = ${CHANNEL} or application_name like ${`${CHANNEL} %`})
    order by application_name`.execute(database);
  return rows.map(({ title }) => {
    const [, version = 'unknown', name = 'unknown'] = title.split(' ');
    return { version, name };
  });
}
