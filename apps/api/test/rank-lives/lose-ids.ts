import type { Database } from '#api/database/database.ts';
import type { RankIndex } from '#api/modules/leaderboards/ranks/rank-index.ts';
import { type MortalPostgres, patiently, readNextId, takeIds } from '../database/mortal-postgres.ts';
import { OVERALL_BOARD } from '../rank-model.ts';

export const DEATHS = ['a killed postmaster', 'a killed backend', 'a promoted standby'] as const;
export type Death = (typeof DEATHS)[number];

/** More ids than one change takes. */
const LOST_IDS = 40;
/** The server may flush ids to the disk at any moment; a crash then reissues no id. */
const MAX_TRIES = 20;

interface Options {
  postgres: MortalPostgres;
  database: Database;
  /** Followers of the log; each reads up to the newest id before the server dies. */
  indexes: Iterable<RankIndex>;
  death: Death;
  /** A change before the crash; a standby made earlier does not have it. */
  change?: () => Promise<void>;
}

/** Crashes the server so that it reissues ids below the readers' positions. Returns how many. */
export async function loseIds({ postgres, database, indexes, death, change }: Options): Promise<number> {
  for (let tries = 1; tries <= MAX_TRIES; tries++) {
    if (death === 'a promoted standby') await postgres.makeStandby();
    await patiently(() => database.transaction().execute((trx) => readNextId(trx)));
    await change?.();
    await patiently(() => takeIds(database, LOST_IDS));
    for (const index of indexes) await readOn(index);
    const before = await patiently(() => readNextId(database));
    if (death === 'a killed postmaster') await postgres.killPostmaster();
    else if (death === 'a killed backend') await postgres.killBackend();
    else await postgres.failOver();
    const after = await patiently(() => readNextId(database));
    if (before - after >= LOST_IDS / 2) return before - after;
  }
  throw new Error(`after ${MAX_TRIES} times ${death} no id was given out again`);
}

/** Takes ids until all lost ones are given out again. Before that, the id alone tells a reader of the loss. */
export async function passLostIds(database: Database, lost: number): Promise<void> {
  await patiently(() => takeIds(database, lost + 1));
}

/** Reads the log to its end. */
async function readOn(index: RankIndex): Promise<void> {
  index.notifyChange();
  await patiently(() => index.readPage(OVERALL_BOARD, 0, 1));
}
