import { redeemManagerInvite } from '@sendlap/contract/center-management/managers.ts';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { buildTestApp, type SignedIn, type TestApp } from '#test/app/app.ts';
import { makeCenter } from '#test/factories.ts';
import { runVerb } from '#test/run-verb.ts';
import { callEndpoint } from '#test/scenes/managed-center.ts';
import type { Command } from '../command.ts';
import { command as grant } from './grant.ts';
import { command as invite } from './invite.ts';
import { command as list } from './list.ts';
import { command as revoke } from './revoke.ts';

const NOWHERE = '3f2b8c1e-6f0d-4f5e-9a57-0c1d2e3f4a5b';

let api: TestApp;
let ada: SignedIn;
let center: string;
beforeAll(async () => {
  api = await buildTestApp();
});
beforeEach(async () => {
  for (const table of ['managers', 'audit_entries'] as const) await api.database.deleteFrom(table).execute();
  ada = await api.signIn('Ada');
  center = await makeCenter(api.database);
});
afterAll(() => api.close());

const run = (command: Command, ...args: string[]) => runVerb(api.database, command.run, args);
const readAudit = () =>
  api.database.selectFrom('audit_entries').select(['act', 'actor_id', 'subject_id', 'details']).orderBy('id').execute();

test.each([
  ['grant', grant, ['a']],
  ['grant', grant, ['a', 'no-id']],
  ['revoke', revoke, ['a']],
  ['list', list, ['more']],
  ['invite', invite, []],
])('wrong usage of %s ends with 2 and the usage', async (verb, command, args) => {
  const { code, stdout, stderr } = await run(command, ...args);
  expect([code, stdout]).toEqual([2, '']);
  expect(stderr).toContain(`npm run sendlap -- managers ${verb}`);
});

test('an unknown athlete or center, a closed center, a second grant and a missing right are refused, without a trace', async () => {
  const { public_id } = ada.user;
  for (const command of [grant, revoke])
    expect(await run(command, 'no-such-athlete', center)).toMatchObject({
      code: 1,
      stderr: 'There is no user no-such-athlete.\n',
    });
  expect(await run(grant, 'deleted-user', center)).toMatchObject({ code: 1 });
  expect(await run(grant, public_id, NOWHERE)).toMatchObject({
    code: 1,
    stderr: `There is no sport center ${NOWHERE}.\n`,
  });
  expect(await run(invite, '--center', NOWHERE)).toMatchObject({ code: 1 });
  expect(await run(revoke, public_id, center)).toMatchObject({
    code: 1,
    stderr: `${public_id} is not a manager there.\n`,
  });
  const closed = await makeCenter(api.database);
  await api.database.updateTable('sport_centers').set({ closed_at: new Date() }).where('id', '=', closed).execute();
  expect([(await run(grant, public_id, closed)).code, (await run(invite, '--center', closed)).code]).toEqual([1, 1]);
  expect(await readAudit()).toEqual([]);
  await run(grant, public_id, center);
  expect(await run(grant, public_id, center)).toMatchObject({
    code: 1,
    stderr: `${public_id} is a manager there already.\n`,
  });
});

test('a right is granted, listed and revoked, with an entry of the audit trail each', async () => {
  const { public_id, id } = ada.user;
  expect(await run(list)).toMatchObject({ code: 0, stdout: 'There is no manager.\n' });
  expect((await run(grant, public_id, center)).stdout).toContain(`"Ada" (${public_id}) is now a manager of `);
  const { managers } = JSON.parse((await run(list, '--center', center, '--json')).stdout);
  expect(managers).toMatchObject([{ public_id, name: 'Ada', sport_center_id: center, is_locked: false }]);
  expect((await run(list)).stdout).toContain(`${public_id}  "Ada"  ${center} `);
  expect(await run(revoke, public_id, center)).toMatchObject({
    stdout: `${public_id} is no longer a manager there.\n`,
  });
  const by_cli = { actor_id: null, subject_id: id, details: { sport_center_id: center } };
  expect(await readAudit()).toEqual([
    { ...by_cli, act: 'manager_granted' },
    { ...by_cli, act: 'manager_revoked' },
  ]);
});

test('an invite makes one user a manager', async () => {
  const { code, stdout } = await run(invite, '--center', center);
  expect(code).toBe(0);
  expect(stdout).toMatch(/[█▀▄]{5}/);
  const url = new URL(/^http\S+$/m.exec(stdout)?.[0] ?? '');
  expect(url.pathname).toBe(`/sport-centers/${center}/manage`);
  const redeem = (who: SignedIn) => callEndpoint(api, redeemManagerInvite, { who, body: { code: url.hash.slice(1) } });
  expect(await redeem(ada)).toMatchObject({ data: { sport_center_id: center } });
  expect(await redeem(await api.signIn('Bea'))).toMatchObject({ code: 'invite_invalid' });
});
