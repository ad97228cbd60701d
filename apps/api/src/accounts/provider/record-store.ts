import { sql } from 'kysely';
import type { Adapter, StoredPayload } from 'oidc-provider';
import type { Database } from '#api/database/database.ts';

/** One write in this many also removes some expired records. */
const SWEEP_EVERY = 20;
const SWEEP_ROWS = 200;

/**
 * The database store of the provider's grants, codes and interactions: they survive a restart and all nodes share them.
 */
export function createRecordStore(database: Database): (model: string) => Adapter {
  let writes = 0;

  async function sweep(): Promise<void> {
    writes += 1;
    if (writes % SWEEP_EVERY !== 0) return;
    await sql`
      delete from provider_records where ctid in (
        select ctid from provider_records where expires_at < now() - interval '1 minute' limit ${SWEEP_ROWS}
      )`.execute(database);
  }

  return (model) => {
    const find = async (column: 'id' | 'uid' | 'user_code', value: string): Promise<StoredPayload | undefined> => {
      if (value !== toStorableText(value)) return undefined;
      const row = await database
        .selectFrom('provider_records')
        .select(['payload', 'consumed_at'])
        .where('model', '=', model)
        .where(column, '=', value)
        .executeTakeFirst();
      if (!row) return undefined;
      return { ...row.payload, ...(row.consumed_at ? { consumed: Math.floor(row.consumed_at.getTime() / 1000) } : {}) };
    };
    return {
      async upsert(id, payload, expires_in_s) {
        const record = {
          payload: JSON.stringify(payload, (_key, value) =>
            typeof value === 'string' ? toStorableText(value) : value,
          ),
          grant_id: payload.grantId ?? null,
          user_code: payload.userCode ?? null,
          uid: payload.uid ?? null,
          expires_at: expires_in_s === undefined ? null : new Date(Date.now() + expires_in_s * 1000),
        };
        await database
          .insertInto('provider_records')
          .values({ model, id, ...record })
          .onConflict((conflict) => conflict.columns(['model', 'id']).doUpdateSet(record))
          .execute();
        await sweep();
      },
      find: (id) => find('id', id),
      findByUid: (uid) => find('uid', uid),
      findByUserCode: (user_code) => find('user_code', user_code),
      async consume(id) {
        await database
          .updateTable('provider_records')
          .set({ consumed_at: new Date() })
          .where('model', '=', model)
          .where('id', '=', id)
          .execute();
      },
      async destroy(id) {
        await database.deleteFrom('provider_records').where('model', '=', model).where('id', '=', id).execute();
      },
      async revokeByGrantId(grant_id) {
        await database.deleteFrom('provider_records').where('grant_id', '=', grant_id).execute();
      },
    };
  };
}

/** The provider looks up and stores callers' text unchanged; PostgreSQL accepts neither U+0000 nor lone surrogates. */
function toStorableText(text: string): string {
  return text.replaceAll('\u0000', '').toWellFormed();
}
