import { chownSync, mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect } from 'vitest';
import { testUnlessMissing } from '#test/skip-without.ts';
import { loadOrCreateSecret, writeSecret } from '../secrets.ts';
import { chooseAccount } from './account.ts';

const NO_ROOT = process.getuid?.() === 0 ? undefined : 'the rights of root';
/** The uid of `daemon`, an account that every system has and that no start would choose by itself. */
const DAEMON_UID = 1;
/** A uid without an account. */
const STRANGER_UID = 54_321;

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sendlap-account-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

testUnlessMissing(NO_ROOT, 'root runs PostgreSQL as the owner of the database, else of the data folder', async () => {
  const by_default = chooseAccount(folder)?.name;
  expect(by_default).not.toBe('daemon');
  expect(chooseAccount(join(folder, 'new'))?.name).toBe(by_default);
  chownSync(folder, DAEMON_UID, DAEMON_UID);
  expect(chooseAccount(folder)).toMatchObject({ name: 'daemon', uid: DAEMON_UID });
  mkdirSync(join(folder, 'postgres'));
  chownSync(join(folder, 'postgres'), STRANGER_UID, STRANGER_UID);
  expect(chooseAccount(folder)).toEqual({ name: `uid ${STRANGER_UID}`, uid: STRANGER_UID, gid: STRANGER_UID });
});

testUnlessMissing(NO_ROOT, 'root makes no new database for an owner without an account', async () => {
  const by_default = chooseAccount(folder);
  chownSync(folder, STRANGER_UID, STRANGER_UID);
  expect(chooseAccount(folder)).toEqual(by_default);
});

testUnlessMissing(NO_ROOT, 'a secret that root writes belongs to the owner of the data folder', async () => {
  chownSync(folder, DAEMON_UID, DAEMON_UID);
  await loadOrCreateSecret(folder);
  expect(statSync(join(folder, 'secret'))).toMatchObject({ uid: DAEMON_UID, gid: DAEMON_UID });
  await writeSecret(join(folder, 'secret'), 'another secret');
  expect(statSync(join(folder, 'secret')).uid).toBe(DAEMON_UID);
});
