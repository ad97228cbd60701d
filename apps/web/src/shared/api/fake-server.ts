import * as auth from '@sendlap/contract/auth.ts';
import type { User } from '@sendlap/contract/users.ts';
import { createAccessToken } from './access-token.ts';
import { createCall } from './call.ts';
import type { ApiError } from './errors.ts';
import { createRefresh } from './refresh.ts';
import { createRequest } from './request.ts';
import { createSession } from './session.ts';
import type { TabMessage } from './tab-channel.ts';

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

type Answer = Response | Error | Promise<Response>;
/** What the server answers to `METHOD /path`; asked anew for each request. */
type Answers = Record<string, (request: Request) => Answer>;

export function reply(data: unknown, status = 200, headers: Record<string, string> = {}): Response {
  return Response.json({ success: true, data }, { status, headers });
}

export function refusal(status: number, code: string, headers: Record<string, string> = {}): Response {
  return Response.json({ success: false, message: `refused: ${code}`, code, error: code }, { status, headers });
}

/** Tabs of one browser share the channel, the locks and the storage, and each has a wiring of its own. */
export function createBrowser() {
  const tabs: ((message: TabMessage) => void)[] = [];
  let queue: Promise<unknown> = Promise.resolve();
  let held = 0;
  const locks = {
    request(_name: string, options: unknown, work?: (lock: unknown) => Promise<unknown>) {
      const run = (work ?? options) as (lock: unknown) => Promise<unknown>;
      if (work && held > 0) return run(null);
      held += 1;
      const result = queue.then(() => run({})).finally(() => (held -= 1));
      queue = result.catch(() => {});
      return result;
    },
  };
  const kept = new Map<string, string>();
  const storage = {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  };
  return { tabs, locks: locks as unknown as LockManager, storage };
}

/** The api layer of one tab against a server that answers as told. `sent` lists what it was asked. */
export function createTab(answers: Answers, browser = createBrowser(), known: User | null = null) {
  const sent: string[] = [];
  const requests: Request[] = [];
  const signed_out: ApiError[] = [];
  const device = { online: true, now: 0, profile: known, reloads: 0 };
  const listeners: ((message: TabMessage) => void)[] = [];
  const deliver = (message: TabMessage) => {
    for (const listen of listeners) listen(message);
  };
  browser.tabs.push(deliver);
  const channel = {
    post: (message: TabMessage) => {
      for (const tab of browser.tabs) if (tab !== deliver) tab(message);
    },
    listen: (listener: (message: TabMessage) => void) => void listeners.push(listener),
  };
  const token = createAccessToken(() => device.now);
  const request = createRequest({
    fetch: async (input, init) => {
      const made = new Request(new URL(String(input), 'https://sendlap.test'), init);
      const name = `${made.method} ${new URL(made.url).pathname}`;
      sent.push(name);
      requests.push(made.clone());
      const answer = await answers[name]?.(made);
      if (answer instanceof Error) throw answer;
      return answer ?? refusal(404, 'not_found');
    },
    clock: { observe: () => {} },
    monotonicNow: () => device.now,
    base: '',
  });
  const endpoints = async () => auth;
  const refreshOnce = createRefresh({ endpoints, request, token, channel, locks: browser.locks });
  const call = createCall({
    request,
    token,
    refreshOnce,
    onSignedOut: (error) => void signed_out.push(error),
    isOnline: () => device.online,
  });
  const session = createSession({
    endpoints,
    call,
    request,
    token,
    refreshOnce,
    channel,
    storage: browser.storage,
    profiles: {
      load: async () => device.profile,
      save: async (user) => {
        device.profile = user;
      },
    },
    reload: () => {
      device.reloads += 1;
    },
  });
  return { call, session, token, refreshOnce, sent, requests, signed_out, device, browser };
}
