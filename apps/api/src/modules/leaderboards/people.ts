import { sql } from 'kysely';
import type { Database } from '#api/database/database.ts';
import type { RecentChanges } from '#api/sessions/recent-changes.ts';
import { createUserCache, type UserCache } from '#api/sessions/user-cache.ts';
import { IS_ON_BOARDS } from './ranks/on-boards.ts';

/** Some 250 bytes each. */
const MAX_CACHED_PEOPLE = 100_000;

/** A user as shown on boards. */
export interface BoardPerson {
  /** null until one was chosen. */
  display_name: string | null;
  public_id: string;
  /** Whether public boards show the user. */
  is_on_boards: boolean;
}

/** Cached, at most 5 s behind changes of other nodes; all users missing in the cache are loaded with one query. */
export function createPeopleCache(database: Database, changes: RecentChanges): UserCache<BoardPerson> {
  const load = batchLoads((user_ids) => loadPeople(database, user_ids));
  return createUserCache(changes, load, { max_size: MAX_CACHED_PEOPLE });
}

async function loadPeople(database: Database, user_ids: string[]): Promise<Map<string, BoardPerson>> {
  const { rows } = await sql<BoardPerson & { id: string }>`
    select u.id, u.display_name, u.public_id, ${IS_ON_BOARDS} as is_on_boards
    from users u where u.id = any(${user_ids}::uuid[])`.execute(database);
  return new Map(rows.map(({ id, ...person }) => [id, person]));
}

/** Merges all loads requested at the same moment into one query. */
function batchLoads<Value>(
  loadAll: (ids: string[]) => Promise<Map<string, Value>>,
): (id: string) => Promise<Value | undefined> {
  let batch: { ids: string[]; loaded: Promise<Map<string, Value>> } | undefined;
  return async (id) => {
    batch ??= startBatch();
    batch.ids.push(id);
    return (await batch.loaded).get(id);
  };

  function startBatch() {
    const ids: string[] = [];
    const loaded = Promise.resolve().then(() => {
      batch = undefined;
      return loadAll(ids);
    });
    return { ids, loaded };
  }
}
