import { createRankStore } from '#api/modules/leaderboards/ranks/create-rank-store.ts';
import { createMemoryRanks } from '#api/modules/leaderboards/ranks/memory-ranks.ts';
import { createRankIndex, type RankIndex } from '#api/modules/leaderboards/ranks/rank-index.ts';
import type { Database } from '#api/platform/database.ts';
import { makeDoneTable } from './carry-out.ts';
import { publicIdOf } from './compare.ts';
import { type MortalNode, startMortalNode } from './mortal-node.ts';
import type { Athlete } from './world.ts';

/** Two nodes with the boards in memory, two that share them in Redis, and a third on that Redis that is killed. */
export interface Nodes {
  indexes: Map<string, RankIndex>;
  /** Those that hear of a commit here; each change is told to one of them alone. */
  writers: RankIndex[];
  mortal: MortalNode;
  close(): Promise<void>;
}

interface Options {
  database: Database;
  database_url: string;
  redis_url: string;
  athletes: Athlete[];
}

export async function openNodes({ database, database_url, redis_url, athletes }: Options): Promise<Nodes> {
  await makeDoneTable(database);
  await database
    .insertInto('users')
    .values(
      athletes.map(({ user_id }) => ({
        id: user_id,
        public_id: publicIdOf(user_id),
        email: '',
        name: 'Ada',
        display_name: 'Ada',
      })),
    )
    .execute();
  const log = { warn() {} };
  const openShared = async () => {
    const store = await createRankStore({ env: { REDIS_URL: redis_url }, database, log });
    return createRankIndex({ database, store, log });
  };
  const indexes = new Map([
    ['memory', createRankIndex({ database, store: createMemoryRanks(), log })],
    ['memory, other node', createRankIndex({ database, store: createMemoryRanks(), log })],
    ['Redis', await openShared()],
    ['Redis, other node', await openShared()],
  ]);
  const mortal = await startMortalNode(database, { RANKS_DATABASE_URL: database_url, RANKS_REDIS_URL: redis_url });
  return {
    indexes,
    writers: [...indexes.values()],
    mortal,
    async close() {
      await mortal.end();
      for (const index of indexes.values()) await index.close();
    },
  };
}
