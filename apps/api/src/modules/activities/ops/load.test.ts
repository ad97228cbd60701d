import { randomUUID } from 'node:crypto';
import type { RawBuilder } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { compileOnce } from '#api/database/compile-once.ts';
import { openTestDatabase } from '#test/database/database.ts';
import { buildOwnLoad, buildScanLoad } from './load.ts';

let own: Awaited<ReturnType<typeof openTestDatabase>>;
beforeAll(async () => {
  own = await openTestDatabase();
});
afterAll(() => own.close());

/** A value of each name; a second set differs in all of them. */
const makeValues = (at: number) => ({
  ...{ athlete_id: randomUUID(), activity_id: randomUUID(), user_id: randomUUID(), op_id: randomUUID() },
  ...{ withdrawn_op_id: randomUUID(), scanner_id: randomUUID(), key_id: randomUUID(), sport_center_id: randomUUID() },
  ...{ user_low: randomUUID(), user_high: randomUUID(), local_date: `2026-11-1${at}`, reads_badges: at === 1 },
  ...{ started_at: new Date(at), installations_since: new Date(at + 10) },
  ...{ code_started_at: new Date(at + 20), code_ended_at: new Date(at + 30) },
});
type Values = ReturnType<typeof makeValues>;

test.each<[string, (values: Values) => RawBuilder<unknown>]>([
  ['own op', buildOwnLoad],
  ['scan', buildScanLoad],
])('the text of the read of an %s is compiled once, and filled with the values of each op', (_name, build) => {
  const { database } = own;
  const compile = compileOnce(build);
  for (const values of [makeValues(1), makeValues(2)]) {
    const { sql, parameters } = build(values).compile(database);
    const compiled = compile(database, values);
    expect(compiled.sql).toBe(sql);
    expect(compiled.parameters).toEqual(parameters);
  }
});
