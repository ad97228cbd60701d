import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { readMigrationNames } from '../apps/api/src/database/migrations.ts';
import { checkBackup } from '../apps/api/src/modules/backups/read-backup.ts';
import { BackupRefused } from '../apps/api/src/modules/backups/refusal.ts';
import { isClear, makeBadFiles } from '../e2e/drill/bad-files.ts';
import { judgeAction, textOf } from '../e2e/drill/verdict.ts';

const ANA = 'ana';
const NOTHING_LEFT = { queued: [], refused: [], sealed: 0 };
const start = { kind: 'start', id: 'op', about: 'swim' } as const;
const finish = { ...start, kind: 'finish' } as const;
const message = { kind: 'message', id: 'note', about: 'chat' } as const;
const swim = {
  local_date: '1970-01-01',
  time_zone: 'UTC',
  sport_center_id: 'pool',
  sport_type: 'swimming',
  distance_m: null,
};
const activity = { ...swim, id: 'swim', user_id: ANA, status: 'active', started_at: new Date(0), ended_at: null };
const sent = { sender_id: ANA, text: textOf('note') };
const of = (kind: string) => ({ activity_id: 'swim', kind, received_at: new Date(0) });

test.each([
  { name: 'an op that acted once', action: start, rows: { activities: [activity], ops: [of('start')] }, fate: 'there' },
  { name: 'an op without a trace', action: start, rows: {}, fate: 'lost' },
  { name: 'a finish of an activity that runs', action: finish, rows: { activities: [activity] }, fate: 'lost' },
  {
    name: 'an op that acted twice',
    action: start,
    rows: { activities: [activity], ops: [of('start'), of('start')] },
    fate: 'doubled',
  },
  { name: "another user's", action: start, rows: { activities: [{ ...activity, user_id: 'ben' }] }, fate: 'lost' },
  { name: 'a message that is there twice', action: message, rows: { messages: [sent, sent] }, fate: 'doubled' },
  {
    name: "a message as another user's",
    action: message,
    rows: { messages: [{ ...sent, sender_id: 'ben' }] },
    fate: 'lost',
  },
  {
    name: 'a refusal that the phone shows',
    action: message,
    rows: {},
    left: { refused: [{ id: 'note', code: 'chat_not_found' }] },
    fate: 'refused',
  },
  { name: 'a message that waits', action: message, rows: {}, left: { queued: ['note'] }, fate: 'kept' },
  { name: 'an op in a sealed record', action: start, rows: {}, left: { sealed: 1 }, fate: 'kept' },
])('After a restore, $name is $fate', ({ action, rows, left = {}, fate }) => {
  const all = { activities: [], ops: [], refusals: [], messages: [], ...rows };
  const known = { ...action, acknowledged: 1, was_acknowledged: true };
  expect(judgeAction(all, { user_id: ANA, leftovers: { ...NOTHING_LEFT, ...left } }, known)).toBe(fate);
});

test('Truncated, changed and foreign files are no backup, each with a reason in one line', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'sendlap-bad-files-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = join(folder, 'file.sendlap');
  const header = { format: 1, app_version: '0.1.0', made_at: '2026-11-28T10:00:00.000Z', secret_check: 'check' };
  const migrations = await readMigrationNames();
  const start_of_file = Buffer.from(`sendlap-backup\n${JSON.stringify({ ...header, migrations })}\n`);
  const body = Buffer.concat([start_of_file, randomBytes(2_000)]);
  const good = Buffer.concat([body, createHash('sha256').update(body).digest()]);
  await writeFile(file, good);
  await expect(checkBackup(file)).resolves.toMatchObject({ bytes: good.length });
  for (const { name, content } of makeBadFiles(good, 100)) {
    await writeFile(file, content);
    const refusal: unknown = await checkBackup(file).catch((error: unknown) => error);
    expect(refusal, name).toBeInstanceOf(BackupRefused);
    expect(isClear((refusal as Error).message), `${name}: ${(refusal as Error).message}`).toBe(true);
  }
});
