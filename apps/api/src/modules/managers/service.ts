import type { Database, Trx } from '#api/database/database.ts';

export type ManagerService = ReturnType<typeof createManagerService>;

/** Managers run a sport center. A right of a user at one center, not a kind of account. */
export function createManagerService(database: Database) {
  return {
    isManager: (user_id: string, sport_center_id: string) => isManager(database, user_id, sport_center_id),
  };
}

async function isManager(executor: Database | Trx, user_id: string, sport_center_id: string): Promise<boolean> {
  const right = await executor
    .selectFrom('managers')
    .select('user_id')
    .where('user_id', '=', user_id)
    .where('sport_center_id', '=', sport_center_id)
    .executeTakeFirst();
  return right !== undefined;
}

/** Returns false if the user is a manager of the center already. */
export async function insertManager(trx: Trx, right: { user_id: string; sport_center_id: string }): Promise<boolean> {
  const inserted = await trx
    .insertInto('managers')
    .values(right)
    .onConflict((conflict) => conflict.doNothing())
    .returning('user_id')
    .executeTakeFirst();
  return inserted !== undefined;
}
