import { createHash, randomUUID } from 'node:crypto';
import type { BioInfo } from '@sendlap/contract/bio-info.ts';
import { bytesToUuid } from '@sendlap/domain/ids.ts';
import { type Database, databaseErrorCode } from '#api/platform/database.ts';
import { AppError } from '#api/platform/errors.ts';
import type { EventWriter } from '#api/platform/events.ts';
import { type BioInfoRow, createBioInfoStore } from './bio-info-store.ts';
import type { Presence } from './presence.ts';
import type { UserService } from './service.ts';

const UNIQUE_VIOLATION = '23505';
const MAX_TRIES = 3;

type Body = Pick<BioInfo, 'age' | 'weight_kg' | 'height_cm' | 'male'>;

/** `repeated`: the request had been carried out before, nothing was changed now. */
interface Written {
  bio_info: BioInfo;
  repeated: boolean;
}

export interface BioInfoService {
  /** Throws `bio_info_not_found` until it was saved once. */
  readBioInfo(user_id: string): Promise<BioInfo>;
  /**
   * Throws `bio_info_exists` where there is one, `idempotency_mismatch` for another body under the key that made it,
   * `conflict` for a late copy of a save whose data was deleted since.
   * `key`: a UUID that makes the call repeatable, if there is one.
   */
  saveBioInfo(user_id: string, body: Body, key: string | undefined): Promise<Written>;
  /**
   * Changes the fields that are there. Throws `bio_info_not_found`, and `bio_info_changed` when somebody else changed
   * it since the version `updated_at` and it is not as wanted.
   */
  updateBioInfo(user_id: string, body: Partial<Body> & { updated_at: string }): Promise<Written>;
  deleteBioInfo(user_id: string): Promise<void>;
}

interface BioInfoOptions {
  database: Database;
  events: EventWriter;
  presence: Presence;
  users: Pick<UserService, 'noteChange'>;
  now: () => Date;
}

export function createBioInfoService({ database, events, presence, users, now }: BioInfoOptions): BioInfoService {
  const store = createBioInfoStore(database, events);

  async function readRow(user_id: string): Promise<BioInfoRow> {
    const row = await store.find(user_id);
    if (!row) throw new AppError('bio_info_not_found', 'Bio information not found for this user');
    return row;
  }

  return {
    readBioInfo: async (user_id) => presentBioInfo(await readRow(user_id)),

    async saveBioInfo(user_id, body, key) {
      const id = key ? idOf(user_id, key, body) : randomUUID();
      const at = now();
      const row = { id, user_id, client_id: key ?? null, ...body, created_at: at, updated_at: at };
      for (let tries = 1; ; tries += 1) {
        try {
          const inserted = await presence.around(user_id, () => store.insert(row));
          if (!inserted) throw new AppError('conflict', 'This was saved and deleted again since');
          users.noteChange(user_id);
          return { bio_info: presentBioInfo(inserted), repeated: false };
        } catch (error) {
          if (databaseErrorCode(error) !== UNIQUE_VIOLATION || tries === MAX_TRIES) throw error;
          const made_before = await store.find(user_id);
          // Else it was deleted again meanwhile.
          if (made_before) return { bio_info: presentBioInfo(checkRepeat(made_before, row)), repeated: true };
        }
      }
    },

    async updateBioInfo(user_id, { updated_at, ...fields }) {
      const changes = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
      const seen = new Date(updated_at);
      if (Object.keys(changes).length > 0) {
        // A version is never given twice, whatever the clock does.
        const next = new Date(Math.max(now().getTime(), seen.getTime() + 1));
        const wanted = { ...changes, updated_at: next };
        const row = await presence.around(user_id, () => store.update(user_id, seen, wanted));
        if (row) {
          users.noteChange(user_id);
          return { bio_info: presentBioInfo(row), repeated: false };
        }
      }
      const row = await readRow(user_id);
      if (!isAsWanted(row, changes)) {
        throw new AppError('bio_info_changed', 'Your data was changed elsewhere; look at it again before you save');
      }
      return { bio_info: presentBioInfo(row), repeated: true };
    },

    async deleteBioInfo(user_id) {
      await store.remove(user_id);
      users.noteChange(user_id);
    },
  };
}

function checkRepeat(made_before: BioInfoRow, row: Pick<BioInfoRow, 'id' | 'client_id'>): BioInfoRow {
  if (row.client_id === null || made_before.client_id !== row.client_id) {
    throw new AppError('bio_info_exists', 'Bio information was saved before; change it instead');
  }
  if (made_before.id !== row.id) {
    throw new AppError('idempotency_mismatch', 'This Idempotency-Key was used with other data');
  }
  return made_before;
}

function isAsWanted(row: BioInfoRow, wanted: object): boolean {
  return Object.entries(wanted).every(([name, value]) => Reflect.get(row, name) === value);
}

/** The id says what the first save said, so that its repeat is known for one after any number of changes. */
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
