import { createPushSubscription, getPushKey } from '@sendlap/contract/push-subscriptions.ts';
import { type NotificationChoices, updateSettings } from '@sendlap/contract/users.ts';
import { expect, vi } from 'vitest';
import { buildTestApp, type SignedIn, type TestApp, type TestAppOptions } from '../app/app.ts';
import { createMovedTimer, type MovedTimer } from '../moved-timer.ts';
import { type PushBrowser, type PushEndpoint, startPushEndpoint } from '../push-endpoint.ts';
import { type ChatScene, openChatScene } from './chat-scene.ts';

export const EVERYTHING: NotificationChoices = {
  messages: true,
  friends: true,
  proofs: true,
  show_text: false,
  quiet_hours: null,
};

/** Time that passes with each poll for a push; several polls make up the longest wait for one. */
const LOOK_MS = 1_000;
/** Slightly less than the hold of a notification, passed in steps so small that no poll of the app is skipped. */
const HELD_MS = 1_800;
const STEP_MS = 200;

/** The app next to a push service on this machine. Its pushes wait until a test advances the time. */
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
  /** Subscribes a new browser of the user to pushes; returns it with the id of its subscription. */
  subscribe(who: SignedIn, browser?: PushBrowser): Promise<{ browser: PushBrowser; id: string }>;
  choose(who: SignedIn, choices: Partial<NotificationChoices>): Promise<void>;
  key(who: SignedIn): Promise<string>;
  /** Passes almost the whole hold during which news can still be read or withdrawn; `who` sends requests in it. */
  passHold(who: SignedIn): Promise<void>;
  /** Advances the time until this browser was sent this many pushes or, without a count, any push. */
  arrival(browser: PushBrowser, count?: number): Promise<void>;
  /**
   * Resolves once all events stored so far were pushed: another pair of users exchanges a message, whose push arrives
   * after all earlier ones.
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

/** Advances the time until the browser was sent this many pushes or, without a count, any push. */
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
      // Closing the app waits some seconds of this timer for pushes in flight.
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
