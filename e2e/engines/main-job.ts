import { pollUntil } from '../../apps/api/test/delays.ts';
import { PASSWORD } from '../people/athlete.ts';
import { POOL } from '../people/swimming.ts';
import type { Server } from '../server/server.ts';
import type { Engine } from './engine.ts';

const PATIENCE_MS = 60_000;
/** Those of the bar below and of the profile; Home is the last. */
const SCREENS = ['activities', 'friends', 'leaderboards', 'badges', 'profile', 'sport-centers', 'dashboard'];
const HURRIED_ROUNDS = 8;

export interface Visitor {
  engine: Engine;
  server: Server;
  pool_id: string;
}

/** From the first visit to an activity that runs, with a network. */
export async function signUpAndStart({ engine, server, pool_id }: Visitor): Promise<void> {
  await engine.open(`${server.url}/register`);
  await tap(engine, /^Create account$/);
  await fill(engine, { 'E-mail': 'eva@example.org', 'Display name': 'Eva', Password: PASSWORD });
  await tap(engine, /^Create account$/);
  await sees(engine, 'Hi, Eva');
  await comes(engine, 'a worker that has fetched the app', () =>
    engine.evaluate(() => navigator.serviceWorker.controller?.state === 'activated', null),
  );
  await engine.open(`${server.url}/sport-centers/${pool_id}`);
  await tap(engine, /^Start swimming$/);
  await sees(engine, 'Finish');
}

/** Leaves each screen while it starts, while the server is stopped: a sign-out would show on the next. */
export async function hurryWithoutServer({ engine, server }: Visitor): Promise<void> {
  for (let round = 0; round < HURRIED_ROUNDS; round += 1)
    for (const screen of SCREENS) await engine.open(`${server.url}/${screen}`);
}

/** Throws if a write to a store of the app's databases does not end: a page that was left would still have it. */
export async function writeToEveryStore({ engine }: Visitor): Promise<void> {
  await engine.evaluate(startWrites, null);
  await comes(engine, 'the end of a write to every store', () => engine.evaluate(haveWritesEnded, null));
}

interface PageOfWrites {
  have_writes_ended?: boolean;
}

/** Runs in the page. A count in a transaction that may write waits for the store as a write does. */
function startWrites(): void {
  async function write(): Promise<void> {
    const answer = <Value>(request: IDBRequest<Value>) =>
      new Promise<Value>((resolve, reject) => {
        request.onsuccess = () => resolve(request.result);
        request.onerror = () => reject(request.error);
      });
    for (const { name = '' } of await indexedDB.databases()) {
      const database = await answer(indexedDB.open(name));
      for (const store of database.objectStoreNames)
        await answer(database.transaction(store, 'readwrite').objectStore(store).count());
      database.close();
    }
    (window as PageOfWrites).have_writes_ended = true;
  }
  void write();
}

function haveWritesEnded(): boolean {
  return (window as PageOfWrites).have_writes_ended === true;
}

/** Opens every screen while the server is stopped. Returns how many. */
export async function openScreensWithoutServer({ engine, server }: Visitor): Promise<number> {
  for (const screen of SCREENS) {
    await engine.open(`${server.url}/${screen}`);
    await comes(engine, `${screen} without a server`, () => engine.evaluate(hasHeading, null));
    const text = await engine.evaluate(readText, null);
    if (text.includes('Something went wrong')) throw new Error(`${screen} fails without a server: ${text}`);
  }
  return SCREENS.length;
}

/** From Home to the code, while the server is stopped. */
export async function finishWithoutServer({ engine }: Visitor): Promise<void> {
  await sees(engine, POOL);
  await tap(engine, /^Finish$/);
  await tap(engine, /^Show my code$/);
  await comes(engine, 'a code', () => engine.evaluate(() => document.querySelector('[data-digits]') !== null, null));
}

/** Throws if the finished activity is not on Home, while the server is stopped. */
export async function findFinishedWithoutServer({ engine, server }: Visitor): Promise<void> {
  await engine.open(`${server.url}/dashboard`);
  await sees(engine, 'Recent activities');
}

export async function removeWorker({ engine, server }: Visitor): Promise<void> {
  await engine.open(`${server.url}/dashboard`);
  await engine.evaluate(unregisterAll, null);
  await comes(engine, 'a page without a worker', async () => {
    await engine.open(`${server.url}/dashboard`);
    return engine.evaluate(() => navigator.serviceWorker.controller === null, null);
  });
}

function unregisterAll(): void {
  void navigator.serviceWorker.getRegistrations().then((all) => all.forEach((one) => void one.unregister()));
}

const sees = (engine: Engine, text: string) =>
  comes(engine, `"${text}"`, async () => (await engine.evaluate(readText, null)).includes(text));

/** Throws with what the page says if it does not come. Between two pages there is no page to ask. */
async function comes(engine: Engine, what: string, isThere: () => Promise<boolean>): Promise<void> {
  const has_come = await pollUntil(() => isThere().catch(() => false), { patience_ms: PATIENCE_MS, interval_ms: 100 });
  if (has_come) return;
  const text = await engine.evaluate(readText, null).catch(() => 'nothing');
  throw new Error(`${what} does not come; the page says: ${text.slice(0, 1000)}`);
}

const tap = (engine: Engine, name: RegExp) =>
  comes(engine, `"${name.source}"`, () => engine.evaluate(tapButton, name.source));

const fill = (engine: Engine, fields: Record<string, string>) =>
  comes(engine, Object.keys(fields).join(', '), () => engine.evaluate(fillFields, fields));

function readText(): string {
  return document.body.innerText;
}

/** Of the app: Firefox's own page of an error has a heading, too. */
function hasHeading(): boolean {
  return document.querySelector('#root h1') !== null;
}

/** Returns whether there was a button or a link of this name. */
function tapButton(name: string): boolean {
  const buttons = [...document.querySelectorAll<HTMLElement>('button:enabled, a')];
  const found = buttons.find(
    (button) => button.offsetParent !== null && new RegExp(name).test(button.innerText.trim()),
  );
  found?.click();
  return found !== undefined;
}

/** Returns whether all fields with these labels are there. */
function fillFields(fields: Record<string, string>): boolean {
  const labels = [...document.querySelectorAll('label')];
  return Object.entries(fields).every(([name, value]) => {
    const input = labels.find((label) => label.innerText.trim().startsWith(name))?.control;
    if (!(input instanceof HTMLInputElement)) return false;
    input.value = value;
    return true;
  });
}
