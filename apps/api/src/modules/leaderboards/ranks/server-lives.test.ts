import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { type Database, openDatabase } from '#api/database/database.ts';
import { type MortalPostgres, openMortalPostgres, patiently } from '#test/database/mortal-postgres.ts';
import { DEATHS, loseIds, passLostIds } from '#test/rank-lives/lose-ids.ts';
import { OVERALL_BOARD } from '#test/rank-model.ts';
import { addAthlete, writeScore } from '#test/scenes/rank-rows.ts';
import { createMemoryRanks } from './memory-ranks.ts';
import { createRankIndex, type RankIndex } from './rank-index.ts';
import { readLog, readLogEnd } from './read-log.ts';

/** Disables polling: notifications alone must suffice. */
const NEVER_MS = 3_600_000;

let postgres: MortalPostgres;
let database: Database;
let index: RankIndex;
beforeAll(async () => {
  postgres = await openMortalPostgres();
  database = openDatabase(postgres.url);
});
afterAll(async () => {
  await database?.destroy();
  await postgres?.remove();
});
beforeEach(async () => {
  await patiently(() => sql`truncate board_scores, board_changes`.execute(database));
  index = createRankIndex({ database, store: createMemoryRanks(), log: { warn() {} }, poll_ms: NEVER_MS });
});
afterEach(() => index.close());

const points = async () => (await patiently(() => index.readPage(OVERALL_BOARD, 0, 10))).rows.map((row) => row.points);

it.each(DEATHS)(
  'misses no change after %s, though its id was given out before',
  async (death) => {
    const [anna, ben] = [await addAthlete(database), await addAthlete(database)];
    await writeScore(database, anna, 50);
    expect(await points()).toEqual([50]);
    const lost = await loseIds({ postgres, database, indexes: [index], death });
    await writeScore(database, anna, 1000);
    await writeScore(database, ben, 70);
    await passLostIds(database, lost);
    index.notifyChange();
    expect(await points()).toEqual([1000, 70]);
  },
  60_000,
);

it('shows nothing that a promoted standby never got', async () => {
  const anna = await addAthlete(database);
  await writeScore(database, anna, 50);
  const change = async () => {
    await writeScore(database, anna, 900);
    index.notifyChange();
    expect(await points()).toEqual([900]);
  };
  const lost = await loseIds({ postgres, database, indexes: [index], death: 'a promoted standby', change });
  await passLostIds(database, lost);
  index.notifyChange();
  expect(await points()).toEqual([50]);
}, 60_000);

it('reads on, and fills no board again, while the server lives', async () => {
  const anna = await addAthlete(database);
  const start = await readLogEnd(database);
  await writeScore(database, anna, 10);
  await sql`checkpoint`.execute(database);
  // Each read uses its own connection.
  const other = openDatabase(postgres.url);
  const { changes } = await readLog(other, start);
  await other.destroy();
  expect(changes).toMatchObject([{ board: OVERALL_BOARD, scores: [{ user_id: anna, points: 10 }] }]);
});

it('reads the incarnation of the server without rights of an administrator', async () => {
  await sql`create role plain login in role pg_read_all_data`.execute(database);
  const plain = openDatabase(postgres.url.replace('//sendlap@', '//plain@'));
  const own = await readLogEnd(database);
  const found = await readLogEnd(plain);
  await plain.destroy();
  expect(found).toEqual(own);
  expect(own.watermark).toMatch(/^\d+ \d+\.\d+\/\d+\/\d+\.\d+$/);
});
