import { sql } from 'kysely';
import type { Database } from '#api/database/database.ts';
import { createFreshUsers, type FreshUsers } from '#api/sessions/fresh-users.ts';
import type { RecentChanges } from '#api/sessions/recent-changes.ts';
import { IS_ON_BOARDS } from './ranks/on-boards.ts';

/** Some 250 bytes each. */
const MAX_PEOPLE = 100_000;

/** How a user is shown on boards. */
export interface BoardPerson {
  /** null until one was chosen. */
  display_name: string | null;
  public_id: string;
  /** Whether public boards show them. */
  is_on_boards: boolean;
}

/** From memory, at most 5 s behind other nodes' changes; whoever is not known yet comes with one query for all of them. */
export function createPeople(database: Database, changes: RecentChanges): FreshUsers<BoardPerson> {
  const load = gatherLoads((user_ids) => loadPeople(database, user_ids));
  return createFreshUsers(changes, load, { max_kept: MAX_PEOPLE });
}

async function loadPeople(database: Database, user_ids: string[]): Promise<Map<string, BoardPerson>> {
  const { rows } = await sql<BoardPerson & { id: string }>`
    select u.id, u.display_name, u.public_id, ${IS_ON_BOARDS} as is_on_boards
    from users u where u.id = any(${user_ids}::uuid[])`.execute(database);
  return new Map(rows.map(({ id, ...person }) => [id, person]));
}

/** Makes one query of all loads that are asked for at the same moment. */
function gatherLoads<Value>(
  loadAll: (ids: string[]) => Promise<Map<string, Value>>,
): (id: string) => Promise<Value | undefined> {
  let next: { ids: string[]; loaded: Promise<Map<string, Value>> } | undefined;
  return async (id) => {
    next ??= startNext();
    next.ids.push(id);
    return (await next.loaded).get(id);
  };

  function startNext() {
    const ids: string[] = [];
    const loaded = Promise.resolve().then(() => {
      next = undefined;
      return loadAll(ids);
    });
    return { ids, loaded };
  }
}
