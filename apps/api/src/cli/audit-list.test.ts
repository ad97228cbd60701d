import { redeemOperatorInvite } from '@sendlap/contract/operators.ts';
import { updateServerProfile } from '@sendlap/contract/server-profile.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type NewAuditEntry, recordAudit } from '#api/modules/audit/service.ts';
import { inviteOperator } from '#api/modules/operators/service.ts';
import { buildTestApp, type SignedIn, type TestApp } from '#test/app/app.ts';
import { makeCenter } from '#test/factories.ts';
import { runVerb } from '#test/run-verb.ts';
import { inviteKiosk, inviteReferee, revokeKiosks, revokeReferee } from '#test/scenes/invites.ts';
import { command as list } from './audit-list.ts';
import type { Command } from './command.ts';
import { command as grant } from './operators-grant.ts';
import { command as invite } from './operators-invite.ts';
import { command as revoke } from './operators-revoke.ts';
import { command as grant_referee } from './referees-grant.ts';
import { command as erase } from './users-erase.ts';

let api: TestApp;
let ada: SignedIn;
beforeAll(async () => {
  api = await buildTestApp();
  ada = await api.signIn('Ada');
});
afterAll(() => api.close());

const run = (command: Command, ...args: string[]) => runVerb(api.database, command.run, args);
/** The lines without their times. */
const readLines = async () =>
  (await run(list)).stdout
    .trimEnd()
    .split('\n')
    .map((line) => line.replace(/^\S+Z {2}/, ''));
const call = ({ method, path }: { method: 'POST' | 'PATCH'; path: string }, payload: object) =>
  api.app.inject({ method, url: path, headers: ada.headers, payload });

test.each([
  [['more']],
  [['--limit']],
  [['--limit', '0']],
  [['--limit', '-1']],
  [['--limit', '10000']],
  [['--limit', 'all']],
])('%j is wrong usage', async (args) => {
  const { code, stdout, stderr } = await run(list, ...args);
  expect([code, stdout]).toEqual([2, '']);
  expect(stderr).toContain('npm run sendlap -- audit list');
});

test('lists nothing before the first act', async () => {
  expect(await run(list)).toEqual({ code: 0, stdout: 'The audit trail is empty.\n', stderr: '' });
  expect(JSON.parse((await run(list, '--json')).stdout)).toEqual({ entries: [] });
});

test('lists who did what, newest first: an operator, the operator CLI and the server', async () => {
  const { public_id } = ada.user;
  await inviteOperator(api.database, 'http://localhost', new Date());
  const { url } = JSON.parse((await run(invite, '--json')).stdout);
  await call(redeemOperatorInvite, { code: 'aaaa-aaaa-aaaa' });
  await call(redeemOperatorInvite, { code: url.split('#')[1] });
  await call(updateServerProfile, { name: 'Club' });
  await run(revoke, public_id);
  await run(grant, public_id);
  const failure: NewAuditEntry = {
    act: 'area_load_failed',
    actor_id: null,
    details: { failure: 'too busy\u202e\u009b' },
  };
  await recordAudit(api.database, failure);

  expect(await readLines()).toEqual([
    `server could not load a town's sport centers {"failure":"too busy\\u202e\\u009b"}`,
    `operator CLI made an operator of ${public_id}`,
    `operator CLI ended the operator right of ${public_id}`,
    `${public_id} changed the server's name, its town or who may load areas {"name":"Club"}`,
    `${public_id} became an operator by a set-up address`,
    `${public_id} was refused with a set-up address {"code":"invite_unknown"}`,
    'operator CLI made a set-up address',
    'server made a set-up address',
  ]);
  const { entries } = JSON.parse((await run(list, '--json', '--limit', '2')).stdout);
  const at = expect.stringMatching(/^\d{4}-.*Z$/);
  expect(entries).toEqual([
    {
      at,
      actor: 'server',
      act: 'area_load_failed',
      subject: null,
      details: { failure: 'too busy\u202e\u009b' },
      reason: null,
    },
    { at, actor: 'operator CLI', act: 'operator_granted', subject: public_id, details: {}, reason: null },
  ]);
});

test('has what the operator CLI does to the referees and kiosks of a center', async () => {
  const center = await makeCenter(api.database);
  const { public_id } = ada.user;
  await inviteReferee(api.database, center);
  await run(grant_referee, public_id, center);
  await revokeReferee(api.database, public_id, center);
  await revokeReferee(api.database, public_id, center);
  await inviteKiosk(api.database, center);
  await revokeKiosks(api.database, center);
  await revokeKiosks(api.database, center);
  const { entries } = JSON.parse((await run(list, '--limit', '5', '--json')).stdout);
  const details = { sport_center_id: center };
  expect(entries).toMatchObject([
    { actor: 'operator CLI', act: 'kiosks_revoked', subject: null, details },
    { actor: 'operator CLI', act: 'kiosk_invited', subject: null, details },
    { actor: 'operator CLI', act: 'referee_revoked', subject: public_id, details },
    { actor: 'operator CLI', act: 'referee_granted', subject: public_id, details },
    { actor: 'operator CLI', act: 'referee_invited', subject: null, details },
  ]);
});

test('an erased operator appears as deleted-user', async () => {
  await run(erase, ada.user.public_id, '--now');
  const lines = await readLines();
  expect(lines[0]).toBe('operator CLI locked, until it is erased, the account of deleted-user');
  expect(lines).toContain('operator CLI made an operator of deleted-user');
  expect(lines).toContain('deleted-user became an operator by a set-up address');
});
