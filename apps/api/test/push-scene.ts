import { createPushSubscription, getPushKey } from '@sendlap/contract/push-subscriptions.ts';
import { type NotificationChoices, updateSettings } from '@sendlap/contract/users.ts';
import { expect } from 'vitest';
import { buildTestApp, type SignedIn, type TestApp, type TestAppOptions } from './app.ts';
import { type ChatScene, openChatScene } from './chat-scene.ts';
import { type PushBrowser, type PushEndpoint, startPushEndpoint } from './push-endpoint.ts';

export const EVERYTHING: NotificationChoices = {
  messages: true,
  friends: true,
  proofs: true,
  show_text: false,
  quiet_hours: null,
};

/** The app beside a push service on this machine. */
export interface PushScene {
  api: TestApp;
  chats: ChatScene;
  endpoint: PushEndpoint;
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

export async function openPushScene(options: Pick<TestAppOptions, 'now' | 'logger'> = {}): Promise<PushScene> {
  const endpoint = await startPushEndpoint();
  const api = await buildTestApp({ ...options, env: { PUSH_ALLOW_LOCAL: '1' } });
  const chats = openChatScene(api);
  const call: PushScene['call'] = (who, method, url, payload) => callApp(api, who, method, url, payload);
  const scene: PushScene = {
    api,
    chats,
    endpoint,
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
    async settle() {
      const { ada, ben, chat_id } = await chats.openChat(['Zoe', 'Yan']);
      const { browser } = await scene.subscribe(ben);
      await chats.send(ada, chat_id, 'Now');
      await expect.poll(() => endpoint.readAll(browser).length).toBe(1);
    },
    async close() {
      await api.close();
      await endpoint.close();
    },
  };
  return scene;
}
