import {
  DEADLOCK,
  databaseErrorCode,
  EXCLUSION_VIOLATION,
  SERIALIZATION_FAILURE,
  UNIQUE_VIOLATION,
} from '#api/database/database.ts';
import { ScannerNotLocked } from './lock.ts';

const MAX_TRIES = 3;
/** Errors after which another writer has won a race. */
const LOST_RACE = new Set([DEADLOCK, SERIALIZATION_FAILURE, EXCLUSION_VIOLATION, UNIQUE_VIOLATION]);

/** Runs a transaction again if it lost a race against another writer, three times in all. Rethrows every other error. */
export async function retryLostRaces<Value>(run: () => Promise<Value>): Promise<Value> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await run();
    } catch (error) {
      const is_lost_race = error instanceof ScannerNotLocked || LOST_RACE.has(databaseErrorCode(error) ?? '');
      if (tries === MAX_TRIES || !is_lost_race) throw error;
    }
  }
}
