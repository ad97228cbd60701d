import { getAuthConfig, login } from '@sendlap/contract/auth.ts';
import { getSealingKey, openSeal } from '@sendlap/contract/sealing-keys.ts';
import type { User } from '@sendlap/contract/users.ts';
import { createRequest } from '#web/shared/api/request.ts';
import { createServerClock } from '#web/shared/api/server-clock.ts';
import { createServerEpoch } from '#web/shared/api/server-epoch.ts';
import { createDpopProof, deleteSession, hasSessionKey } from '#web/shared/device/session-key.ts';
import { createOutbox } from '#web/shared/outbox/outbox.ts';
import { createSealedWork } from '#web/shared/outbox/sealed/sealed-work.ts';
import { createSealingStore } from '#web/shared/outbox/sealed/sealing-store.ts';
import { createOutboxCalls } from '#web/shared/outbox/send/outbox-calls.ts';
import { OUTBOX_NAME, openOutboxDatabase } from '#web/shared/outbox/store/database.ts';
import { createOutboxStore } from '#web/shared/outbox/store/store.ts';
import { connectSession } from '../world/phone/connect-session.ts';
import type { Browser, BrowserDeps } from './browser.ts';

const USER = 'user';
const SESSION_FLAG = 'sendlap_session';
const CHANNEL = { post: () => {}, listen: () => {} };

export interface PageDeps extends Pick<BrowserDeps, 'url'> {
  wait: (delay_ms: number) => Promise<void>;
}

export type Page = Awaited<ReturnType<typeof openPage>>;

/**
 * The app's own request layer, session, outbox and sealed work in one page life, wired as the app's `client.ts` files
 * wire them, against a real server.
 */
export async function openPage(browser: Browser, { url, wait }: PageDeps) {
  const api = createApi(browser, url);
  const { session, call, request, clock, epoch, locks } = api;
  const database = await browser.withDatabases(() => openOutboxDatabase(OUTBOX_NAME, () => {}));
  const never = new Promise<never>(() => {});
  let is_alive = true;
  function schedule(delay_ms: number, run: () => void): () => void {
    let is_due = true;
    void wait(delay_ms).then(() => is_due && is_alive && run());
    return () => {
      is_due = false;
    };
  }
  const shared = { open: async () => (is_alive ? database : never), now: () => Date.now(), freeSpace: async () => {} };
  const store_deps = { ...shared, newId: () => crypto.randomUUID(), clockNote: clock.clockNote };
  const shownUserId = () => session.getState().user?.id ?? null;
  const confirmedUserId = () => (session.getState().checking_auth ? null : shownUserId());

  const outbox = createOutbox({
    makeStore: (onChange) => createOutboxStore({ ...store_deps, onChange }),
    channel: CHANNEL,
    lock: (work) => locks.request('outbox', work) as ReturnType<typeof work>,
    lockChat: (chat_id, work) => locks.request(`chat ${chat_id}`, work) as ReturnType<typeof work>,
    ...createOutboxCalls(call),
    monotonicNow: () => performance.now(),
    now: shared.now,
    random: () => Math.random(),
    isOnline: browser.isOnline,
    async measureClock() {
      if (clock.measurement() === null) await request(getAuthConfig, {}, {});
      return clock.measurement();
    },
    shownUserId,
    confirmedUserId,
    scheduleBackgroundSync: () => {},
    schedule,
  });
  const sealing_store = createSealingStore({ ...shared, onChange: outbox.handleUserChange });
  const sealed_work = createSealedWork({
    store: sealing_store,
    userId: confirmedUserId,
    fetchKey: async (user_id) => (await call(getSealingKey, {}, { expected_user_id: user_id })).public_key,
    fetchSecret: async (user_id, ephemeral_key) =>
      (await call(openSeal, { body: { ephemeral_key } }, { expected_user_id: user_id })).secret,
    schedule,
  });
  session.onSignedOut(async () => {
    await outbox.store.pruneSent({ keeps_copies: !session.wasSignOutIntended() });
    await sealing_store.sealAll();
  });
  epoch.subscribe((name) => outbox.saveEpoch(name).catch(() => {}));
  session.subscribe(outbox.handleUserChange);
  session.subscribe(() => void sealed_work.refresh());
  void session.start();
  outbox.handleUserChange();
  void sealed_work.refresh();

  return {
    outbox,
    session,
    shownUserId,
    sealedWork: sealed_work,
    rowsOf: createOutboxStore({ ...store_deps, onChange: () => {} }).listRows,
    listSealed: sealing_store.listSealed,
    signIn: (email: string, password: string) => session.signInWith(() => call(login, { body: { email, password } })),
    /** Nothing of the page reads or writes after it. */
    end(): void {
      is_alive = false;
    },
  };
}

/** Web Locks under names of this page's own: a page that has ended may hold its locks for ever. */
function createLocks(): Pick<LockManager, 'request'> {
  const page_id = crypto.randomUUID();
  type Work = LockGrantedCallback<unknown>;
  async function request(name: string, ...rest: [Work] | [LockOptions, Work]): Promise<unknown> {
    const own_name = `${page_id} ${name}`;
    const [first, work] = rest;
    return work === undefined
      ? navigator.locks.request(own_name, first as Work)
      : navigator.locks.request(own_name, first as LockOptions, work);
  }
  return { request: request as LockManager['request'] };
}

function createApi(browser: Browser, url: string) {
  const { storage, withDatabases } = browser;
  const monotonicNow = () => performance.now();
  const locks = createLocks();
  const clock = createServerClock({ now: () => Date.now(), monotonicNow, storage });
  const epoch = createServerEpoch();
  const request = createRequest({
    fetch: (path, init) => browser.fetch(String(path), init),
    clock,
    onEpoch: epoch.observe,
    monotonicNow,
    base: '',
    createProof: ({ method, path }) =>
      withDatabases(() => createDpopProof({ method, url: url + path, now_ms: clock.correctedNow() })),
  });
  const { session, call } = connectSession({
    request,
    channel: CHANNEL,
    isOnline: browser.isOnline,
    storage,
    locks,
    monotonicNow,
    mayBeSignedIn: async () => browser.cookies.has(SESSION_FLAG) || withDatabases(hasSessionKey),
    async deleteSession() {
      storage.removeItem(USER);
      await withDatabases(deleteSession);
    },
    hasUser: async () => storage.getItem(USER) !== null,
    profiles: {
      load: async () => JSON.parse(storage.getItem(USER) ?? 'null') as User | null,
      save: async (user) => storage.setItem(USER, JSON.stringify(user)),
    },
    waitForRetry: () => new Promise(() => {}),
    reload: () => {},
    isOnSignInPage: () => false,
  });
  session.onSignedOut(() => storage.removeItem(USER));
  return { session, call, request, clock, epoch, locks };
}
