import type { OpResult } from '@sendlap/contract/activities.ts';
import type { ClockMeasurement } from '@sendlap/domain/recording/clock-correction.ts';
import { applyOpResult } from './apply-results.ts';
import { correctTimes } from './correct-times.ts';
import type { OutboxDatabase, OutboxTransaction } from './database.ts';
import { OutboxError } from './errors.ts';
import { isInDoubt } from './judge-time.ts';
import { createMessageStore } from './message-store.ts';
import type { QueuedOp } from './records.ts';
import { createRowReader, WRITTEN_STORES } from './rows.ts';
import { EPOCH_KEY, saveEpoch } from './sent.ts';
import { writeWithEviction } from './write-with-eviction.ts';

export interface SendStoreDeps {
  open: () => Promise<OutboxDatabase>;
  /** Wall clock of the device, ms epoch. */
  now: () => number;
  newId: () => string;
  /** Deletes expendable data (map tiles) when the disk is full. */
  freeSpace: () => Promise<void>;
  onChange: () => void;
}

export type SendStore = ReturnType<typeof createSendStore>;

/**
 * What sending needs of the rows of the outbox, in a page and in the service worker. Every write is on disk before its
 * promise resolves, or it rejects with OutboxError.
 */
export function createSendStore({ open, now, newId, freeSpace, onChange }: SendStoreDeps) {
  async function write<Value>(work: (transaction: OutboxTransaction) => Promise<Value>): Promise<Value> {
    const value = await writeWithEviction({ open, freeSpace }, async (database) => {
      const transaction = database.transaction(WRITTEN_STORES, 'readwrite', { durability: 'strict' });
      // Together: otherwise the rejection of `done` is unhandled if the work fails first.
      const [result] = await Promise.all([work(transaction), transaction.done]);
      return result;
    });
    onChange();
    return value;
  }

  const rows = createRowReader({ open, now });
  return {
    ...rows,
    write,

    /** Messages that wait to be sent. */
    messages: createMessageStore({ open, now, newId, freeSpace, onChange }),

    /**
     * Corrects the times of ops whose clock may have been wrong. `measure` is called if there are any; null: the server
     * does not tell its time.
     */
    async correctTimes(user_id: string, measure: () => Promise<ClockMeasurement | null>): Promise<void> {
      const measurement = (await rows.listOps(user_id)).some(isInDoubt) ? await measure() : null;
      if (measurement) await write((transaction) => correctTimes(transaction, { user_id, measurement, now: now() }));
    },

    applyResults: (results: OpResult[]) => applyResults(write, results, now()),

    /** Records that the ops could not be sent, and why. */
    recordFailure: (op_ids: string[], last_error: string, batch_limit: Pick<QueuedOp, 'batch_limit'> = {}) =>
      write(async (transaction) => {
        const ops = transaction.objectStore('ops');
        for (const op_id of op_ids) {
          const op = await ops.index('op_id').get(op_id);
          if (op) await ops.put({ ...op, attempts: op.attempts + 1, last_error, ...batch_limit });
        }
      }),

    /**
     * The server has named its epoch. Returns true if it is another one than before, and what it had acknowledged was
     * queued again.
     */
    saveEpoch: (epoch: string) => write((transaction) => saveEpoch(transaction, epoch, now())),

    readEpoch: async () => (await open()).get('epoch', EPOCH_KEY),
  };
}

async function applyResults(
  write: (work: (transaction: OutboxTransaction) => Promise<void>) => Promise<void>,
  results: OpResult[],
  now: number,
): Promise<void> {
  const apply = (keeps_copy: boolean) =>
    write(async (transaction) => {
      for (const result of results) await applyOpResult(transaction, result, { now, keeps_copy });
    });
  await apply(true).catch((error: unknown) => {
    // A full disk still takes the answers.
    if (!(error instanceof OutboxError) || error.code !== 'storage_full') throw error;
    return apply(false);
  });
}
