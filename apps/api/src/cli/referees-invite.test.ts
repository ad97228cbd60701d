import { randomUUID } from 'node:crypto';
import { decodeCode, parseQrUrl } from '@sendlap/domain/qr-code.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Database } from '#api/database/database.ts';
import { openTestDatabase } from '#test/database/database.ts';
import { makeCenter } from '#test/factories.ts';
import { runVerb } from '#test/run-verb.ts';
import { command } from './referees-invite.ts';

let database: Database;
let close: () => Promise<void>;
let center = '';
beforeAll(async () => {
  ({ database, close } = await openTestDatabase());
  center = await makeCenter(database, ['swimming']);
});
afterAll(() => close());

const invite = (...args: string[]) => runVerb(database, command.run, args);
const countInvites = async () => (await database.selectFrom('invites').select('kind').execute()).length;

it('ends with 2 and the usage for wrong usage', async () => {
  for (const args of [
    [],
    ['--center', 'x'],
    ['--center', center, 'more'],
    ['--center', center, '--sports', 'chess'],
    ['--center', center, '--until', '2027-02-30'],
    ['--center', center, '--until', '2100-12-31'],
    ['--center', center, '--until', '9999-12-31'],
    ['--center', center, '--days', '3'],
  ]) {
    const result = await invite(...args);
    expect(result.code, args.join(' ')).toBe(2);
    expect(result.stderr).toContain('npm run sendlap -- referees invite');
  }
  expect(await countInvites()).toBe(0);
});

it('refuses a missing or closed center, one without the sport, and a right that would be over', async () => {
  const closed = await makeCenter(database);
  await database.updateTable('sport_centers').set({ closed_at: new Date() }).where('id', '=', closed).execute();
  expect(await invite('--center', randomUUID())).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('no sport center'),
  });
  expect(await invite('--center', closed)).toMatchObject({ code: 1, stderr: expect.stringContaining('is closed') });
  expect(await invite('--center', center, '--sports', 'climbing')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('does not offer climbing'),
  });
  expect(await invite('--center', center, '--until', '2020-01-01')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('is over'),
  });
  expect(await countInvites()).toBe(0);
});

it('prints link, QR and code, and keeps none of them', async () => {
  const { code, stdout } = await invite('--center', center);
  expect(code).toBe(0);
  expect(stdout).toContain('referee for swimming');
  expect(stdout).toMatch(/[█▀▄]{5}/);
  const url = /^http\S+$/m.exec(stdout)?.[0] ?? '';
  const bytes = parseQrUrl(url);
  const read = bytes && decodeCode(bytes);
  const secret = read?.kind === 'invite' ? read.secret : '';
  expect(secret).toMatch(/^[a-z2-9]{12}$/);
  expect(stdout).toContain(`Code: ${secret.slice(0, 4)}-${secret.slice(4, 8)}-${secret.slice(8)}`);
  const [row] = await database.selectFrom('invites').selectAll().execute();
  expect(JSON.stringify({ ...row, code_hash: row?.code_hash.toString('latin1') })).not.toContain(secret);
});

it('makes a right until the end of a day of the center, and says it as JSON', async () => {
  const { stdout } = await invite('--center', center, '--until', '2090-06-30', '--sports', 'swimming', '--json');
  const made = JSON.parse(stdout);
  // Midnight in Madrid.
  expect(made).toMatchObject({ sport_types: ['swimming'], right_until: '2090-06-30T22:00:00.000Z' });
  const lifetime_ms = Date.parse(made.expires_at) - Date.now();
  expect(Math.round(lifetime_ms / 3_600_000)).toBe(24);
});
