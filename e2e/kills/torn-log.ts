import { appendFile, glob, mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { startLoneBrowser } from '../browser/lone-browser.ts';
import { openApp, type TabState, watchTab } from '../browser/tab.ts';
import { startForwardProxy } from '../server/forward-proxy.ts';
import type { Server } from '../server/server.ts';
import { signUpAlone } from './killed-browser.ts';

/**
 * The head of a record of 64 bytes, none of which follow: a kill in the middle of a write leaves this in LevelDB's log.
 */
const TORN_RECORD = Buffer.from('11223344400001', 'hex');
/** Paths in a profile: the databases without a bucket, and those in one. */
const LOGS = { rest: 'Default/IndexedDB/*.leveldb/*.log', copies: 'Default/WebStorage/*/IndexedDB/*.leveldb/*.log' };
const MARK = 'planted by the program';
const DATABASES_TIMEOUT_MS = 120_000;

export interface TornStart {
  state: TabState;
  /** Whether the earlier contents of the outbox and of the copies are still there. */
  has_outbox: boolean;
  has_copies: boolean;
}

/**
 * A user signs in, the log of the databases is torn, and the browser starts twice: the first start reads all of a torn
 * log and appends behind the tear; the second distrusts the log and deletes all databases of that bucket.
 */
export async function startAfterTear(server: Server, torn: keyof typeof LOGS): Promise<TornStart> {
  const profile_dir = await mkdtemp(join(tmpdir(), 'sendlap-profile-'));
  const proxy = await startForwardProxy();
  let browser = await startLoneBrowser(profile_dir, proxy.address);
  try {
    await signUpAlone(browser, server);
    await waitForDatabases(browser.page);
    await browser.page.evaluate(plantMarks, MARK);
    await browser.close();
    await appendFile(await findNewestLog(profile_dir, LOGS[torn]), TORN_RECORD);
    for (let start = 1; ; start += 1) {
      browser = await startLoneBrowser(profile_dir, proxy.address);
      const state = await openApp(watchTab(browser.page), server.url);
      await waitForDatabases(browser.page);
      if (start === 2) return { state, ...(await readMarks(browser.page)) };
      await browser.page.evaluate(plantMarks, `${MARK} again`);
      await browser.close();
    }
  } finally {
    await browser.kill();
    await proxy.close();
    // Killed child processes may still be writing there.
    await rm(profile_dir, { recursive: true, force: true, maxRetries: 20, retryDelay: 250 });
  }
}

async function findNewestLog(profile_dir: string, pattern: string): Promise<string> {
  const logs: { path: string; written_ms: number }[] = [];
  for await (const name of glob(pattern, { cwd: profile_dir })) {
    const path = join(profile_dir, name);
    logs.push({ path, written_ms: (await stat(path)).mtimeMs });
  }
  const [newest] = logs.sort((one, other) => other.written_ms - one.written_ms);
  if (!newest) throw new Error(`no log fits ${pattern}`);
  return newest.path;
}

/**
 * Waits until the app has created its databases, which it does after it shows its first screen: opened before that, they
 * would be created here, empty.
 */
async function waitForDatabases(page: Page): Promise<void> {
  await page.waitForFunction(
    async () => {
      const copies = (await navigator.storageBuckets?.open('copies'))?.indexedDB ?? indexedDB;
      const namesIn = async (databases: IDBFactory) => (await databases.databases()).map(({ name }) => name);
      return (await namesIn(indexedDB)).includes('sendlap-outbox') && (await namesIn(copies)).includes('sendlap-cache');
    },
    undefined,
    { timeout: DATABASES_TIMEOUT_MS },
  );
}

async function readMarks(page: Page): Promise<Omit<TornStart, 'state'>> {
  const [has_outbox, has_copies] = await page.evaluate(hasMarks, MARK);
  return { has_outbox, has_copies };
}

/** Runs in the page: adds a mark to stores that no list shows. */
async function plantMarks(mark: string): Promise<void> {
  const copies = (await navigator.storageBuckets?.open('copies'))?.indexedDB ?? indexedDB;
  for (const [databases, name, store, record, key] of [
    [indexedDB, 'sendlap-outbox', 'ballast', new Blob([]), mark],
    [copies, 'sendlap-cache', 'metadata', { key: mark, value: true, updated_at: 0, user_id: null }, undefined],
  ] as const) {
    const database = await new Promise<IDBDatabase>((resolve, reject) => {
      const request = databases.open(name);
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error);
    });
    const transaction = database.transaction(store, 'readwrite', { durability: 'strict' });
    transaction.objectStore(store).put(record, key);
    await new Promise((resolve) => transaction.addEventListener('complete', resolve));
    database.close();
  }
}

/** Runs in the page: returns whether there is a mark in the outbox, and among the copies. */
async function hasMarks(mark: string): Promise<[boolean, boolean]> {
  const copies = (await navigator.storageBuckets?.open('copies'))?.indexedDB ?? indexedDB;
  const hasMark = async (databases: IDBFactory, name: string, store: string) => {
    const database = await new Promise<IDBDatabase>((resolve, reject) => {
      const request = databases.open(name);
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error);
    });
    const request = database.transaction(store).objectStore(store).count(mark);
    await new Promise((resolve) => request.addEventListener('success', resolve));
    database.close();
    return request.result > 0;
  };
  return [await hasMark(indexedDB, 'sendlap-outbox', 'ballast'), await hasMark(copies, 'sendlap-cache', 'metadata')];
}
