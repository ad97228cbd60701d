import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Database } from '#api/database/database.ts';
import { openTestDatabase } from '#test/database/database.ts';
import { makeCenter } from '#test/factories.ts';
import { runVerb } from '#test/run-verb.ts';
import { command as invite } from './kiosks-invite.ts';
import { command as revoke } from './kiosks-revoke.ts';

let database: Database;
let close: () => Promise<void>;
let center = '';
beforeAll(async () => {
  ({ database, close } = await openTestDatabase());
  center = await makeCenter(database);
});
afterAll(() => close());

const countInvites = async () => (await database.selectFrom('invites').select('kind').execute()).length;

it('both end with 2 and the usage for wrong usage', async () => {
  for (const command of [invite, revoke]) {
    for (const args of [[], ['--center', 'x'], ['--center', center, 'more'], ['--center', center, '--all']]) {
      const result = await runVerb(database, command.run, args);
      expect(result.code, args.join(' ')).toBe(2);
      expect(result.stderr).toContain(`npm run sendlap -- kiosks ${command.verb}`);
    }
  }
});

it('a code for a missing or closed center is refused, and so is revoking without a kiosk', async () => {
  const closed = await makeCenter(database);
  await database.updateTable('sport_centers').set({ closed_at: new Date() }).where('id', '=', closed).execute();
  const of_none = await runVerb(database, invite.run, ['--center', randomUUID()]);
  expect(of_none).toMatchObject({ code: 1, stderr: expect.stringContaining('no sport center') });
  const of_closed = await runVerb(database, invite.run, ['--center', closed]);
  expect(of_closed).toMatchObject({ code: 1, stderr: expect.stringContaining('is closed') });
  const nothing = await runVerb(database, revoke.run, ['--center', center, '--json']);
  expect(nothing).toMatchObject({ code: 1, stdout: '{"kiosks":0,"invites":0}\n' });
  expect(await countInvites()).toBe(0);
});

it('a code is printed for people and as JSON, and taken back with the kiosks', async () => {
  const printed = await runVerb(database, invite.run, ['--center', center]);
  expect(printed.stdout).toMatch(/^Open: {2}http\S+\/kiosk$/m);
  expect(printed.stdout).toMatch(/^Code: {2}[a-z2-9]{4}-[a-z2-9]{4}-[a-z2-9]{4}$/m);
  const { stdout } = await runVerb(database, invite.run, ['--center', center, '--json']);
  expect(JSON.parse(stdout)).toMatchObject({ sport_center_id: center, code: expect.stringMatching(/^[a-z2-9]{12}$/) });
  const revoked = await runVerb(database, revoke.run, ['--center', center]);
  expect(revoked).toMatchObject({ code: 0, stdout: 'Ended 0 kiosks and 2 codes for more.\n' });
  expect(await countInvites()).toBe(0);
});
