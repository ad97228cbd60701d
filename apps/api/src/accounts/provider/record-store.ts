import { sql } from 'kysely';
import type { Adapter, StoredPayload } from 'oidc-provider';
import type { Database } from '#api/database/database.ts';
import { createPeriodicJob, type PeriodicJob } from '#api/platform/periodic-job.ts';

const PRUNING_INTERVAL_MS = 60_000;
const PRUNED_ROWS = 1_000;

/**
 * The database store of the provider's grants, codes and interactions: they survive a restart and all nodes share them.
 */
export function createRecordStore(database: Database): (model: string) => Adapter {
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

interface PruningOptions {
  database: Database;
  log: { warn(fields: object, text: string): void };
}

/** Job that removes expired records, in batches. Several nodes may run it at once. */
export function createRecordPruning({ database, log }: PruningOptions): PeriodicJob {
  return createPeriodicJob({
    name: 'record_pruning',
    interval_ms: PRUNING_INTERVAL_MS,
    async work() {
      let removed = 0;
      for (;;) {
        const { numAffectedRows = 0n } = await sql`
          delete from provider_records where (model, id) in (
            select model, id from provider_records where expires_at < now() - interval '1 minute'
            order by expires_at limit ${PRUNED_ROWS} for update skip locked
          )`.execute(database);
        removed += Number(numAffectedRows);
        if (numAffectedRows < PRUNED_ROWS) return removed;
      }
    },
    log,
    failure_message: "the provider's expired records could not be removed; retrying later",
  });
}

/** The provider looks up and stores callers' text unchanged; PostgreSQL accepts neither U+0000 nor lone surrogates. */
function toStorableText(text: string): string {
  return text.replaceAll('\u0000', '').toWellFormed();
}
