import { expect, onTestFinished, test } from 'vitest';
import { openChangeLog } from '#test/database/change-log.ts';
import { MatrixWorld } from '#test/matrix/matrix-world.ts';

test('the log of changes names the end of a session, a kiosk and a phone, and not their last use', async () => {
  const world = await MatrixWorld.open();
  onTestFinished(() => world.close());
  const { database } = world.api;
  const changes = await openChangeLog(database, []);
  const at = new Date('2030-01-01T00:00:00Z');

  await database.updateTable('kiosks').set({ last_used_at: at }).execute();
  await database.updateTable('devices').set({ last_used_at: at }).execute();
  expect(await changes.take()).toEqual([]);

  await database.updateTable('sessions').set({ ended_at: at }).execute();
  await database.updateTable('kiosks').set({ last_used_at: at, revoked_at: at }).execute();
  await database.updateTable('devices').set({ session_id: null }).execute();
  expect(await changes.take()).toEqual(['devices', 'kiosks', 'sessions']);
});
