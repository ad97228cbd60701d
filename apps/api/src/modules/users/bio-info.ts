import { createHash, randomUUID } from 'node:crypto';
import type { BioInfo } from '@sendlap/contract/bio-info.ts';
import { bytesToUuid } from '@sendlap/domain/ids.ts';
import { canSharePresence } from '@sendlap/domain/locations.ts';
import type { Selectable, Updateable } from 'kysely';
import { databaseErrorCode, type Trx, UNIQUE_VIOLATION } from '#api/database/database.ts';
import type { Tables } from '#api/database/tables.ts';
import type { EventWriter } from '#api/events/events.ts';
import { changeVisibility } from '#api/modules/leaderboards/service.ts';
import { AppError } from '#api/platform/errors.ts';
import type { ChangeContext } from './service.ts';

const MAX_TRIES = 3;

type BioInfoRow = Selectable<Tables['bio_info']>;
type Body = Pick<BioInfo, 'age' | 'weight_kg' | 'height_cm' | 'male'>;

/** `repeated`: a repeat of an earlier request; nothing was changed now. */
interface SaveResult {
  bio_info: BioInfo;
  repeated: boolean;
}

export type BioInfoService = ReturnType<typeof createBioInfoService>;

export function createBioInfoService({ database, events, presence, users, now }: ChangeContext) {
  const find = (user_id: string): Promise<BioInfoRow | undefined> =>
    database.selectFrom('bio_info').selectAll().where('user_id', '=', user_id).executeTakeFirst();

  async function readRow(user_id: string): Promise<BioInfoRow> {
    const row = await find(user_id);
    if (!row) throw new AppError('bio_info_not_found', 'Bio information not found for this user');
    return row;
  }

  return {
    /** Throws `bio_info_not_found` until saved once. */
    readBioInfo: async (user_id: string) => presentBioInfo(await readRow(user_id)),

    /**
     * Throws `bio_info_exists` if there is one, `idempotency_mismatch` for another body under the key that made it,
     * `conflict` for a late copy of a save whose data was deleted since. `key`: optional UUID that makes the call
     * repeatable.
     */
    async saveBioInfo(user_id: string, body: Body, key: string | undefined): Promise<SaveResult> {
      const id = key ? idOf(user_id, key, body) : randomUUID();
      const at = now();
      const row = { id, user_id, client_id: key ?? null, ...body, created_at: at, updated_at: at };
      for (let tries = 1; ; tries += 1) {
        try {
          const inserted = await presence.runAndNotify(user_id, () => insert(events, row));
          if (!inserted) throw new AppError('conflict', 'This was saved and deleted again since');
          users.recordChange(user_id);
          return { bio_info: presentBioInfo(inserted), repeated: false };
        } catch (error) {
          if (databaseErrorCode(error) !== UNIQUE_VIOLATION || tries === MAX_TRIES) throw error;
          const made_before = await find(user_id);
          // Otherwise it was deleted again since.
          if (made_before) return { bio_info: presentBioInfo(assertReplay(made_before, row)), repeated: true };
        }
      }
    },

    /**
     * Changes the given fields. Throws `bio_info_not_found`, and `bio_info_changed` if another client changed it since
     * the version `updated_at` and the result is not the requested one.
     */
    async updateBioInfo(
      user_id: string,
      { updated_at, ...fields }: Partial<Body> & { updated_at: string },
    ): Promise<SaveResult> {
      const changes = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
      const seen = new Date(updated_at);
      if (Object.keys(changes).length > 0) {
        // A version is never reused, whatever the clock does.
        const next = new Date(Math.max(now().getTime(), seen.getTime() + 1));
        const wanted = { ...changes, updated_at: next };
        const row = await presence.runAndNotify(user_id, () => update(events, user_id, seen, wanted));
        if (row) {
          users.recordChange(user_id);
          return { bio_info: presentBioInfo(row), repeated: false };
        }
      }
      const row = await readRow(user_id);
      if (!matchesRequest(row, changes)) {
        throw new AppError('bio_info_changed', 'Your data was changed elsewhere; look at it again before you save');
      }
      return { bio_info: presentBioInfo(row), repeated: true };
    },

    async deleteBioInfo(user_id: string): Promise<void> {
      await changeVisibility(events, user_id, async (trx) => {
        const removed = await trx
          .deleteFrom('bio_info')
          .where('user_id', '=', user_id)
          .returning('client_id')
          .executeTakeFirst();
        if (!removed?.client_id) return;
        await trx.insertInto('deleted_bio_info').values({ user_id, client_id: removed.client_id }).execute();
      });
      users.recordChange(user_id);
    },
  };
}

/**
 * Inserts bio info; an age too young for presence and public boards switches both off, and from 16 on the user can switch
 * them on again. Throws PostgreSQL's 23505 if the user already has bio info. Returns undefined if the row made by this
 * request was deleted since.
 */
function insert(events: EventWriter, row: BioInfoRow): Promise<BioInfoRow | undefined> {
  // All writers lock the user first: the trigger that records the change locks it last, so another order would deadlock.
  return changeVisibility(events, row.user_id, async (trx) => {
    if (await wasDeleted(trx, row)) return undefined;
    const inserted = await trx.insertInto('bio_info').values(row).returningAll().executeTakeFirstOrThrow();
    await revokeConsents(trx, inserted);
    return inserted;
  });
}

/** Returns undefined unless the row exists with the version `updated_at`. */
function update(
  events: EventWriter,
  user_id: string,
  updated_at: Date,
  changes: Updateable<Tables['bio_info']>,
): Promise<BioInfoRow | undefined> {
  return changeVisibility(events, user_id, async (trx) => {
    const updated = await trx
      .updateTable('bio_info')
      .set(changes)
      .where('user_id', '=', user_id)
      .where('updated_at', '=', updated_at)
      .returningAll()
      .executeTakeFirst();
    if (updated) await revokeConsents(trx, updated);
    return updated;
  });
}

/** Otherwise deleting the bio info would restore consents that so young a user cannot give. */
async function revokeConsents(trx: Trx, { user_id, age }: Pick<BioInfoRow, 'user_id' | 'age'>): Promise<void> {
  if (canSharePresence(age)) return;
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

function assertReplay(made_before: BioInfoRow, row: Pick<BioInfoRow, 'id' | 'client_id'>): BioInfoRow {
  if (row.client_id === null || made_before.client_id !== row.client_id) {
    throw new AppError('bio_info_exists', 'Bio information was saved before; change it instead');
  }
  if (made_before.id !== row.id) {
    throw new AppError('idempotency_mismatch', 'This Idempotency-Key was used with other data');
  }
  return made_before;
}

function matchesRequest(row: BioInfoRow, wanted: object): boolean {
  return Object.entries(wanted).every(([name, value]) => Reflect.get(row, name) === value);
}

/** The id is a hash of the first save, so that its repeat is recognised after any number of changes. */
function idOf(user_id: string, key: string, { age, weight_kg, height_cm, male }: Body): string {
  const said = JSON.stringify([user_id, key, age, weight_kg, height_cm, male]);
  const bytes = createHash('sha256').update(said).digest().subarray(0, 16);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x40, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  return bytesToUuid(bytes);
}

function presentBioInfo(row: BioInfoRow): BioInfo {
  return {
    id: row.id,
    user_id: row.user_id,
    age: row.age,
    weight_kg: row.weight_kg,
    height_cm: row.height_cm,
    male: row.male,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}
