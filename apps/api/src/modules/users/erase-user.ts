import { sql } from 'kysely';
import type { Database, Trx } from '#api/platform/database.ts';
import { DELETED_USER_ID } from '#api/platform/deleted-user.ts';
import { findPerson, leadsTo, type Person } from '#api/platform/person.ts';
import { type Link, PERSONAL_TABLES, type PersonalTable } from '#api/platform/personal-data.ts';
import { endSessions } from '#api/platform/session-ends.ts';

/**
 * Erases a locked user whose time has come, all or nothing: own rows go, in the rows of others the deleted user takes
 * their place. False, and nothing is changed, when there is no such user (any more). Their sessions end, which every node
 * reads within 5 s; the ended rows, without a name, are removed when no access token can live any more.
 */
export function eraseUser(database: Database, user_id: string, now: Date): Promise<boolean> {
  return database.transaction().execute(async (trx) => {
    const user = await trx
      .selectFrom('users')
      .select('id')
      .where('id', '=', user_id)
      .where('is_active', '=', false)
      .where('erase_after', '<=', now)
      .forUpdate()
      .executeTakeFirst();
    if (!user) return false;
    await endSessions(trx, { user_id }, 'erased');
    const person = await findPerson(trx, user_id);
    for (const table of PERSONAL_TABLES) {
      for (const link of table.links.filter(({ erasure }) => erasure === 'delete')) {
        await sql`delete from ${sql.table(table.table)} where ${leadsTo(link, person)}`.execute(trx);
      }
      for (const link of table.links.filter(({ erasure }) => erasure === 'replace')) {
        await replace(trx, table, link, person);
      }
    }
    return true;
  });
}

async function replace(trx: Trx, { table }: PersonalTable, link: Link, person: Person): Promise<void> {
  const values = Object.entries({ [link.column]: DELETED_USER_ID, ...link.also });
  const changes = values.map(([column, value]) => sql`${sql.ref(column)} = ${value}`);
  await sql`update ${sql.table(table)} set ${sql.join(changes)} where ${leadsTo(link, person)}`.execute(trx);
}
