import { type Database, openDatabase } from '#api/database/database.ts';

/** Longer than any test. */
const TIMEOUT_MS = 120_000;

/** A patient database: a slow machine is not an outage, and a test holds a lock for as long as its steps take. */
export function openPatientDatabase(url: string): Database {
  return openDatabase(url, { connect_timeout_ms: TIMEOUT_MS, statement_timeout_ms: TIMEOUT_MS });
}
