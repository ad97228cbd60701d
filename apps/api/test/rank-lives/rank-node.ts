import { createRankStore } from '#api/modules/leaderboards/ranks/create-rank-store.ts';
import { createRankIndex } from '#api/modules/leaderboards/ranks/rank-index.ts';
import { openDatabase } from '#api/platform/database.ts';
import { createEventWriter } from '#api/platform/events.ts';
import { carryOut, type RankOrder } from './carry-out.ts';

/** A node of its own that writes and keeps the boards in Redis up to date, until it is killed. */
const { RANKS_DATABASE_URL = '', RANKS_REDIS_URL = '' } = process.env;
const log = { warn() {} };
const database = openDatabase(RANKS_DATABASE_URL);
const store = await createRankStore({ env: { REDIS_URL: RANKS_REDIS_URL }, database, log });
const index = createRankIndex({ database, store, log });
const events = createEventWriter(database);

process.on('message', (order: RankOrder) => {
  carryOut(events, order).then(
    () => {
      index.noteChange();
      process.send?.({ id: order.id });
    },
    (error: unknown) => process.send?.({ id: order.id, error: String(error) }),
  );
});
process.on('disconnect', () => process.exit(0));
process.send?.({ ready: true });
