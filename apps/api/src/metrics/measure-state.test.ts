import { Registry } from '@prometheus-io/client';
import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { openTestDatabase } from '#test/database/database.ts';
import { measureState } from './measure-state.ts';

test('a server has the failure of its backup once there is a user or a backup, and none if it keeps none', async () => {
  const { database, close } = await openTestDatabase();
  onTestFinished(close);
  const isMeasured = async (backups_kept = 7) => {
    const registry = new Registry();
    const state = measureState({ database, backups_kept }, registry);
    await state.refresh();
    state.end();
    return (await registry.metrics()).includes('\nsendlap_backup_failed 0');
  };
  expect(await isMeasured()).toBe(false);
  await sql`insert into users (id, public_id, name) values (gen_random_uuid(), 'ada', 'Ada')`.execute(database);
  expect([await isMeasured(), await isMeasured(0)]).toEqual([true, false]);
  await sql`delete from users where name = 'Ada'`.execute(database);
  expect(await isMeasured()).toBe(false);
  await database.insertInto('backup_state').values({ made_at: new Date(), bytes: 5 }).execute();
  expect(await isMeasured()).toBe(true);
});
