import { createPushSubscription, getPushKey } from '@sendlap/contract/push-subscriptions.ts';
import { type NotificationChoices, updateSettings } from '@sendlap/contract/users.ts';
import { expect, vi } from 'vitest';
import { buildTestApp, type SignedIn, type TestApp, type TestAppOptions } from './app.ts';
import { type ChatScene, openChatScene } from './chat-scene.ts';
import { createMovedTimer, type MovedTimer } from './moved-timer.ts';
import { type PushBrowser, type PushEndpoint, startPushEndpoint } from './push-endpoint.ts';

export const EVERYTHING: NotificationChoices = {
  messages: true,
  friends: true,
  proofs: true,
  show_text: false,
  quiet_hours: null,
};

/** So much passes with each look for a push; several looks make up the longest wait for one. */
const LOOK_MS = 1_000;
/** A little less than news is held back, in steps with which every look comes. */
const HELD_MS = 1_800;
const STEP_MS = 200;

/** The app beside a push service on this machine. Its pushes wait until a test lets time pass. */
export interface PushScene {
  api: TestApp;
  chats: ChatScene;
  endpoint: PushEndpoint;
  timer: MovedTimer;
  call(
    who: Pick<SignedIn, 'headers'>,
    method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
    url: string,
    payload?: object,
  ): ReturnType<typeof callApp>;
  /** A new browser of somebody's, which is told from now on, and the id of its subscription. */
  subscribe(who: SignedIn, browser?: PushBrowser): Promise<{ browser: PushBrowser; id: string }>;
  choose(who: SignedIn, choices: Partial<NotificationChoices>): Promise<void>;
  key(who: SignedIn): Promise<string>;
  /** Lets almost all of the hold pass during which news may still be read or taken back; `who` sends a request during it. */
  passHold(who: SignedIn): Promise<void>;
  /** Lets time pass until this browser was sent this many pushes, or, without a count, any. */
  arrival(browser: PushBrowser, count?: number): Promise<void>;
  /**
   * Resolves once what was kept before is on its way. It lets somebody else write to somebody else and waits until that
   * has arrived: what is sent in between would have arrived before it.
   */
  settle(): Promise<void>;
  close(): Promise<void>;
}

async function callApp(
  api: TestApp,
  who: Pick<SignedIn, 'headers'>,
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
  url: string,
  payload?: object,
) {
  const reply = await api.app.inject({ method, url, headers: who.headers, ...(payload ? { payload } : {}) });
  return { status: reply.statusCode, ...reply.json() };
}

/** Lets time pass until the browser was sent this many pushes, or, without a count, any. */
export async function pushArrival(
  { endpoint, timer }: Pick<PushScene, 'endpoint' | 'timer'>,
  browser: PushBrowser,
  count?: number,
): Promise<void> {
  const look = () => {
    timer.advance(LOOK_MS);
    return endpoint.readAll(browser).length;
  };
  if (count === undefined) await expect.poll(look).toBeGreaterThan(0);
  else await expect.poll(look).toBe(count);
}

export async function openPushScene(options: Pick<TestAppOptions, 'now' | 'logger'> = {}): Promise<PushScene> {
  const endpoint = await startPushEndpoint();
  const timer = createMovedTimer();
  const api = await buildTestApp({ ...options, timer, env: { PUSH_ALLOW_LOCAL: '1' } });
  const chats = openChatScene(api);
  const call: PushScene['call'] = (who, method, url, payload) => callApp(api, who, method, url, payload);
  const scene: PushScene = {
    api,
    chats,
    endpoint,
    timer,
    call,
    async subscribe(who, browser = endpoint.openBrowser()) {
      const body = { ...browser.subscription, language: 'en' };
      const reply = await call(who, 'POST', createPushSubscription.path, body);
      expect(reply.status).toBe(201);
      return { browser, id: reply.data.id };
    },
    async choose(who, choices) {
      const body = { notifications: { ...EVERYTHING, ...choices } };
      expect(await call(who, 'PATCH', updateSettings.path, body)).toMatchObject({ status: 200 });
    },
    key: async (who) => (await call(who, 'GET', getPushKey.path)).data.key,
    async passHold(who) {
      for (let passed_ms = 0; passed_ms < HELD_MS; passed_ms += STEP_MS) {
        timer.advance(STEP_MS);
        await scene.key(who);
        await chats.list(who);
      }
    },
    arrival: (browser, count) => pushArrival({ endpoint, timer }, browser, count),
    async settle() {
      const { ada, ben, chat_id } = await chats.openChat(['Zoe', 'Yan']);
      const { browser } = await scene.subscribe(ben);
      await chats.send(ada, chat_id, 'Now');
      await scene.arrival(browser, 1);
    },
    async close() {
      let is_closed = false;
      const closed = api.close().finally(() => {
        is_closed = true;
      });
      // The end of the app waits for pushes that are under way, for some seconds of this timer.
      await vi.waitFor(() => {
        timer.advance(LOOK_MS);
        expect(is_closed).toBe(true);
      });
      await closed;
      await endpoint.close();
    },
  };
  return scene;
}
