import * as auth from '@sendlap/contract/auth.ts';
import type { User } from '@sendlap/contract/users.ts';
import { isErrorCode } from '@sendlap/contract/wire/errors.ts';
import { createAccessToken } from '#web/shared/api/access-token.ts';
import { createCall } from '#web/shared/api/call.ts';
import type { ApiError } from '#web/shared/api/errors.ts';
import { createReachability } from '#web/shared/api/reachability.ts';
import { createRefresh } from '#web/shared/api/refresh.ts';
import { createRequest } from '#web/shared/api/request.ts';
import { createServerEpoch } from '#web/shared/api/server-epoch.ts';
import { createSession } from '#web/shared/api/session.ts';
import type { SessionMessage } from '#web/shared/api/session-channel.ts';
import type { TokenOwner } from '#web/shared/api/token-owner.ts';
import { completeUserReply } from '#web/shared/api/user-reply.ts';

export const NORA: User = {
  id: '11111111-1111-4111-8111-111111111111',
  email: 'nora@example.org',
  name: 'Nora',
  public_id: 'nora',
  age: 0,
  weight_kg: 0,
  height_cm: 0,
  is_active: true,
  created_at: '2026-11-01T10:00:00.000Z',
};

export const EVE: User = { ...NORA, id: '33333333-3333-4333-8333-333333333333', name: 'Eve', public_id: 'eve' };

type Answer = Response | Error | Promise<Response>;
/** The server's answers by `METHOD /path`; called for each request. */
type Answers = Record<string, (request: Request) => Answer>;

export function reply(data: unknown, status = 200, headers: Record<string, string> = {}): Response {
  return Response.json({ success: true, data }, { status, headers });
}

/** A bearer token that names its user, as the server's do. */
export const tokenOf = (user_id: string) => `e30.${btoa(JSON.stringify({ sub: user_id }))}.x`;

export function refusal(status: number, code: string, headers: Record<string, string> = {}): Response {
  const failure = { success: false, message: `refused: ${code}`, code, error: code };
  return Response.json(failure, { status, headers: { 'x-server-time': String(Date.now()), ...headers } });
}

/** Tabs of one browser share the channel, the locks and the storage; each has modules of its own. */
export function createBrowser({ has_locks = true } = {}) {
  const tabs: ((message: SessionMessage) => void)[] = [];
  const queues = new Map<string, { last: Promise<unknown>; held: number }>();
  const locks = {
    request(name: string, options: unknown, work?: (lock: unknown) => Promise<unknown>) {
      const run = (work ?? options) as (lock: unknown) => Promise<unknown>;
      const if_available = work !== undefined && (options as LockOptions).ifAvailable === true;
      const queue = queues.get(name) ?? { last: Promise.resolve(), held: 0 };
      queues.set(name, queue);
      if (if_available && queue.held > 0) return run(null);
      queue.held += 1;
      const result = queue.last.then(() => run({})).finally(() => (queue.held -= 1));
      queue.last = result.catch(() => {});
      return result;
    },
  };
  const kept = new Map<string, string>();
  const storage = {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  };
  return { tabs, locks: has_locks ? (locks as unknown as LockManager) : undefined, storage };
}

/** For a browser that cannot store a key. */
const noProof = (_request: string): string | null => null;

type Deliver = (message: SessionMessage) => void;

function joinChannel(tabs: Deliver[]) {
  const listeners: Deliver[] = [];
  const deliver: Deliver = (message) => {
    for (const listen of listeners) listen(message);
  };
  tabs.push(deliver);
  return {
    post: (message: SessionMessage) => {
      for (const tab of tabs) if (tab !== deliver) tab(message);
    },
    listen: (listener: Deliver) => void listeners.push(listener),
  };
}

function createDevice(known: User | null) {
  const device = {
    online: true,
    now: 0,
    /** The copy of the profile, which is dropped after a sign-out. */
    profile: known,
    /** Whether the databases fail, as they do for a moment in a page that is left. */
    is_unreadable: false,
    /** Whether the database of the device holds the user: not from the beginning of a sign-out on. */
    has_user: known !== null,
    reloads: 0,
    is_on_sign_in_page: false,
    handOver: async () => {},
    beforeSave: async () => {},
    left: new Promise<void>(() => {}),
    waitForRetry: () => new Promise<void>(() => {}),
    prove: noProof,
    has_key: true,
    maybe_signed_in: true,
    epoch: createServerEpoch(),
    async deleteSession() {
      Object.assign(device, { has_key: false, has_user: false });
    },
  };
  return device;
}

interface RequestLog {
  sent: string[];
  requests: Request[];
}

function rejectWhenAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason), { once: true }));
}

/** Requests that these answers meet; a path without one is not found. */
function connectAnswers(answers: Answers, device: ReturnType<typeof createDevice>, log: RequestLog) {
  return createRequest({
    fetch: async (input, init) => {
      const made = new Request(new URL(String(input), 'https://sendlap.test'), init);
      made.signal.throwIfAborted();
      const name = `${made.method} ${new URL(made.url).pathname}`;
      log.sent.push(name);
      log.requests.push(made);
      // The answer reads a clone, and the log keeps the request: the signal of a clone is no longer aborted with it once
      // garbage was collected.
      const answer = await Promise.race([answers[name]?.(made.clone()), rejectWhenAborted(made.signal)]);
      if (answer instanceof Error) throw answer;
      return answer ?? refusal(404, 'not_found');
    },
    clock: { observe: () => {} },
    onEpoch: device.epoch.observe,
    monotonicNow: () => device.now,
    base: '',
    createProof: async ({ method, path }) => device.prove(`${method} ${path}`),
  });
}

/** The API layer of one tab against a server with these answers. `sent` lists its requests. */
export function createTab(answers: Answers, browser = createBrowser(), known: User | null = null) {
  const sent: string[] = [];
  const requests: Request[] = [];
  const signed_out: ApiError[] = [];
  const written: string[] = [];
  const reachability = createReachability();
  const device = createDevice(known);
  const channel = joinChannel(browser.tabs);
  const token = createAccessToken(() => device.now);
  const request = connectAnswers(answers, device, { sent, requests });
  const endpoints = async () => ({ ...auth, isErrorCode, completeUserReply });
  const owner: TokenOwner = {
    isForeign: (access_token) => session.isForeign(access_token),
    requestReload: () => session.requestReload(),
  };
  const ports = {
    canRefresh: () => session.canRefresh(),
    wait: () => device.handOver(),
    left: () => device.left,
    epoch: device.epoch.latest,
  };
  const refreshOnce = createRefresh({ endpoints, request, token, channel, ...browser, owner, ...ports });
  const call = createCall({
    request,
    token,
    refreshOnce,
    owner,
    onSignedOut: (error) => {
      signed_out.push(error);
      session.expire(error);
    },
    onLocked: () => session.lock(),
    onWritten: ({ method, path }) => void written.push(`${method} ${path}`),
    isOnline: () => device.online,
    onReached: (reached) => reachability.set(reached),
  });
  const session = createSession({
    endpoints,
    call,
    request,
    token,
    refreshOnce,
    channel,
    onEpoch: device.epoch.observe,
    ...browser,
    deleteSession: () => device.deleteSession(),
    hasUser: async () => device.has_user,
    isOnSignInPage: () => device.is_on_sign_in_page,
    profiles: {
      load: async () => (device.is_unreadable ? undefined : device.profile),
      save: async (user, isSignedIn) => {
        await device.beforeSave();
        if (isSignedIn()) Object.assign(device, { profile: user, has_user: true });
      },
    },
    mayBeSignedIn: async () => device.maybe_signed_in,
    waitForRetry: () => device.waitForRetry(),
    monotonicNow: () => device.now,
    reload: () => {
      device.reloads += 1;
    },
  });
  return { call, session, token, refreshOnce, sent, requests, signed_out, written, reachability, device, browser };
}
