import { maySharePresence } from '@sendlap/domain/locations.ts';
import type { Selectable, Updateable } from 'kysely';
import { boardScores } from '#api/modules/leaderboards/service.ts';
import type { Database, Trx } from '#api/platform/database.ts';
import type { EventWriter } from '#api/platform/events.ts';
import type { Tables } from '#api/platform/tables.ts';

export type BioInfoRow = Selectable<Tables['bio_info']>;

/**
 * What is saved with an age too young for presence and public boards switches both off, for good. All writers take the user first, as the
 * trigger that notes the change does last: in two orders they would deadlock. `changeVisibility` does.
 */
export interface BioInfoStore {
  find(user_id: string): Promise<BioInfoRow | undefined>;
  /** Throws PostgreSQL's 23505 when the user has one. undefined when what this request made has been deleted since. */
  insert(row: BioInfoRow): Promise<BioInfoRow | undefined>;
  /** undefined unless the row is there and still of the version `updated_at`. */
  update(user_id: string, updated_at: Date, changes: Updateable<Tables['bio_info']>): Promise<BioInfoRow | undefined>;
  remove(user_id: string): Promise<void>;
}

export function createBioInfoStore(database: Database, events: EventWriter): BioInfoStore {
  return {
    find: (user_id) => database.selectFrom('bio_info').selectAll().where('user_id', '=', user_id).executeTakeFirst(),

    insert: (row) =>
      boardScores.changeVisibility(events, row.user_id, async (trx) => {
        if (await wasDeleted(trx, row)) return undefined;
        const inserted = await trx.insertInto('bio_info').values(row).returningAll().executeTakeFirstOrThrow();
        await endConsents(trx, inserted);
        return inserted;
      }),

    update: (user_id, updated_at, changes) =>
      boardScores.changeVisibility(events, user_id, async (trx) => {
        const updated = await trx
          .updateTable('bio_info')
          .set(changes)
          .where('user_id', '=', user_id)
          .where('updated_at', '=', updated_at)
          .returningAll()
          .executeTakeFirst();
        if (updated) await endConsents(trx, updated);
        return updated;
      }),

    remove: (user_id) =>
      boardScores.changeVisibility(events, user_id, async (trx) => {
        const removed = await trx
          .deleteFrom('bio_info')
          .where('user_id', '=', user_id)
          .returning('client_id')
          .executeTakeFirst();
        if (!removed?.client_id) return;
        await trx.insertInto('deleted_bio_info').values({ user_id, client_id: removed.client_id }).execute();
      }),
  };
}

/** Else deleting the bio info again would bring back consents that somebody so young can't give. */
async function endConsents(trx: Trx, { user_id, age }: Pick<BioInfoRow, 'user_id' | 'age'>): Promise<void> {
  if (maySharePresence(age)) return;
  await trx
    .updateTable('users')
    .set({ presence: false, boards: false })
    .where('id', '=', user_id)
    .where((eb) => eb.or([eb('presence', '=', true), eb('boards', '=', true)]))
    .execute();
}

async function wasDeleted(trx: Trx, { user_id, client_id }: BioInfoRow): Promise<boolean> {
  if (client_id === null) return false;
  const key = trx.selectFrom('deleted_bio_info').select('client_id').where('user_id', '=', user_id);
  return (await key.where('client_id', '=', client_id).executeTakeFirst()) !== undefined;
}
