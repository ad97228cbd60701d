import type { Database } from '#api/database/database.ts';
import { createMemoryRanks } from '#api/modules/leaderboards/ranks/memory-ranks.ts';
import { createRankIndex, type RankIndex } from '#api/modules/leaderboards/ranks/rank-index.ts';
import { makeDoneTable } from './carry-out.ts';
import { publicIdOf } from './compare.ts';
import { type MortalNode, startMortalNode } from './mortal-node.ts';
import type { Athlete } from './world.ts';

/** Three nodes with the boards in memory, and a writing process that is killed. */
export interface Nodes {
  indexes: Map<string, RankIndex>;
  /** The nodes that are notified of a commit here; each change is reported to only one of them. */
  writers: RankIndex[];
  mortal: MortalNode;
  close(): Promise<void>;
}

interface Options {
  database: Database;
  database_url: string;
  athletes: Athlete[];
}

export async function openNodes({ database, database_url, athletes }: Options): Promise<Nodes> {
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
  const openNode = () => createRankIndex({ database, store: createMemoryRanks(), log });
  const indexes = new Map(['first node', 'second node', 'third node'].map((name) => [name, openNode()]));
  const mortal = await startMortalNode(database, { RANKS_DATABASE_URL: database_url });
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
