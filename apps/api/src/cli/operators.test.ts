import { redeemOperatorInvite } from '@sendlap/contract/operators.ts';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createEventWriter } from '#api/events/events.ts';
import { hasOperator } from '#api/modules/operators/service.ts';
import { lockAccount } from '#api/modules/users/deletion.ts';
import { buildTestApp, type SignedIn, type TestApp } from '#test/app/app.ts';
import { columnsHolding, readAllTables } from '#test/database/all-tables.ts';
import { runVerb } from '#test/run-verb.ts';
import type { Command } from './command.ts';
import { command as grant } from './operators-grant.ts';
import { command as invite } from './operators-invite.ts';
import { command as list } from './operators-list.ts';
import { command as revoke } from './operators-revoke.ts';
import { command as erase } from './users-erase.ts';

const LAST_NOTE = 'No operator is left: the next start of the server prints a set-up address again.\n';

let api: TestApp;
let ada: SignedIn;
beforeAll(async () => {
  api = await buildTestApp();
});
beforeEach(async () => {
  for (const table of ['operators', 'audit_entries'] as const) await api.database.deleteFrom(table).execute();
  ada = await api.signIn('Ada');
});
afterAll(() => api.close());

const run = (command: Command, ...args: string[]) => runVerb(api.database, command.run, args);
const readAudit = () =>
  api.database.selectFrom('audit_entries').select(['act', 'actor_id', 'subject_id', 'details']).orderBy('id').execute();

async function redeem(who: SignedIn, url = '') {
  const [, code = ''] = url.split('#');
  const { path, method } = redeemOperatorInvite;
  const reply = await api.app.inject({ method, url: path, headers: who.headers, payload: { code } });
  return reply.json();
}

test.each([
  ['grant', grant, []],
  ['grant', grant, ['a', 'b']],
  ['grant', grant, ['a', '--days', '3']],
  ['revoke', revoke, []],
  ['revoke', revoke, ['a', 'b']],
  ['list', list, ['more']],
  ['invite', invite, ['more']],
])('wrong usage of %s ends with 2 and the usage', async (verb, command, args) => {
  const { code, stdout, stderr } = await run(command, ...args);
  expect([code, stdout]).toEqual([2, '']);
  expect(stderr).toContain(`npm run sendlap -- operators ${verb}`);
});

test('an unknown user, a second grant and a revocation of a user who is not an operator are refused, and leave no trace', async () => {
  const { public_id } = ada.user;
  for (const command of [grant, revoke]) {
    const refusal = { code: 1, stdout: '', stderr: 'There is no user no-such-athlete.\n' };
    expect(await run(command, 'no-such-athlete')).toEqual(refusal);
  }
  expect(await run(grant, 'deleted-user')).toMatchObject({ code: 1, stderr: 'There is no user deleted-user.\n' });
  expect(await run(revoke, public_id)).toMatchObject({ code: 1, stderr: `${public_id} is not an operator.\n` });
  expect(await readAudit()).toEqual([]);
  await run(grant, public_id);
  expect(await run(grant, public_id)).toMatchObject({ code: 1, stderr: `${public_id} is an operator already.\n` });
  expect(await readAudit()).toHaveLength(1);
});

test('a right is granted and revoked at once, with an entry of the audit trail each', async () => {
  const bea = await api.signIn('Bea');
  const { public_id, id } = ada.user;
  expect(await run(grant, public_id)).toEqual({
    code: 0,
    stdout: `"Ada" (${public_id}) is now an operator.\n`,
    stderr: '',
  });
  await run(grant, bea.user.public_id);
  expect(await hasOperator(api.database)).toBe(true);
  expect(await run(revoke, bea.user.public_id)).toMatchObject({
    code: 0,
    stdout: `${bea.user.public_id} is no longer an operator.\n`,
  });
  expect(await run(revoke, public_id)).toMatchObject({
    code: 0,
    stdout: `${public_id} is no longer an operator.\n${LAST_NOTE}`,
  });
  expect(await hasOperator(api.database)).toBe(false);
  const by_cli = { actor_id: null, details: {} };
  expect(await readAudit()).toEqual([
    { ...by_cli, act: 'operator_granted', subject_id: id },
    { ...by_cli, act: 'operator_granted', subject_id: bea.user.id },
    { ...by_cli, act: 'operator_revoked', subject_id: bea.user.id },
    { ...by_cli, act: 'operator_revoked', subject_id: id },
  ]);
});

test('of two grants at once one is refused', async () => {
  const codes = (await Promise.all([1, 2].map(() => run(grant, ada.user.public_id)))).map(({ code }) => code);
  expect(codes.sort()).toEqual([0, 1]);
  expect(await readAudit()).toHaveLength(1);
});

test('the audit trail does not lead back to an erased operator', async () => {
  await run(grant, ada.user.public_id);
  await run(revoke, ada.user.public_id);
  await run(grant, ada.user.public_id);
  await run(erase, ada.user.public_id, '--now');
  expect(columnsHolding(await readAllTables(api.database), [ada.user.id, ada.user.public_id])).toEqual([]);
  expect(await run(list)).toMatchObject({ stdout: 'There is no operator.\n' });
});

test('lists operators in the order of their grants, and prints no control characters of their names', async () => {
  expect(await run(list)).toMatchObject({ code: 0, stdout: 'There is no operator.\n' });
  const bea = await api.signIn('Bea');
  await run(grant, ada.user.public_id);
  await run(grant, bea.user.public_id);
  const name = 'Bea\u001b[2J\u202e\u009b';
  await api.database.updateTable('users').set({ name }).where('id', '=', bea.user.id).execute();
  await lockAccount(createEventWriter(api.database), bea.user.id, { now: new Date() });
  const { operators } = JSON.parse((await run(list, '--json')).stdout);
  expect(operators).toEqual([
    { public_id: ada.user.public_id, name: 'Ada', granted_at: expect.any(String), is_locked: false },
    { public_id: bea.user.public_id, name, granted_at: expect.any(String), is_locked: true },
  ]);
  const { stdout } = await run(list);
  const [first = '', second = ''] = stdout.split('\n');
  expect(first).toBe(`${ada.user.public_id}  "Ada"  since ${operators[0].granted_at}`);
  expect(second).toMatch(/^sl-\S+ {2}"Bea\S+" {2}since \S+Z, locked$/);
  for (const mark of ['\u001b', '\u009b', '\u202e']) expect(stdout).not.toContain(mark);
});

test('each set-up address makes one user an operator, an earlier one too, and no code is stored', async () => {
  const bea = await api.signIn('Bea');
  const { code, stdout } = await run(invite);
  expect(code).toBe(0);
  expect(stdout).toMatch(/[█▀▄]{5}/);
  const url = /^http\S+$/m.exec(stdout)?.[0] ?? '';
  expect(url).toMatch(/\/setup#(?:[a-z2-9]{4}-?){3}$/);
  const before = Date.now();
  const second = JSON.parse((await run(invite, '--json')).stdout);
  const made_at = Date.parse(second.expires_at) - 24 * 3_600_000;
  expect(made_at).toBeGreaterThanOrEqual(before);
  expect(made_at).toBeLessThanOrEqual(Date.now());

  const secret = (url.split('#')[1] ?? '').replaceAll('-', '');
  expect(columnsHolding(await readAllTables(api.database), [secret])).toEqual([]);
  expect(await redeem(ada, second.url)).toMatchObject({ data: { is_operator: true } });
  expect(await redeem(bea, second.url)).toMatchObject({ success: false, code: 'invite_invalid' });
  expect(await redeem(bea, url)).toMatchObject({ data: { is_operator: true } });
});
