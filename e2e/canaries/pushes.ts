import type { BrowserContext } from '@playwright/test';
import { pollUntil } from '../../apps/api/test/delays.ts';
import {
  closeNotifications,
  openPushDriver,
  type PushDriver,
  readNotifications,
  tapNotification,
} from '../browser/push-browser.ts';
import { WITH_WORKER, waitForWorker } from '../people/athlete.ts';
import type { Channel } from './canaries.ts';
import { openContext, type Scene } from './scene.ts';
import { acceptPushedUrl, listOpened, recordOpened } from './worker.ts';

const PATIENCE_MS = 10_000;
const AWAY = 'https://a.test/';

/** No server of ours sends them. */
const FORGED = [AWAY, '//a.test/', '/\\a.test/', 'javascript:hit(1)', '../../../\\a.test', '\t//a.test'].flatMap(
  (text) => [
    { kind: 'message', chat_id: text, name: 'Eve', text, language: 'en', at: 1 },
    { kind: 'activity_rejected', activity_id: text, center: text, language: 'en', at: 1 },
    { kind: text, url: text, path: text, data: { path: text, url: text }, language: 'en', at: 1 },
  ],
);

export interface Pushed {
  /** The channels whose canaries notifications showed as text. */
  shown: Set<Channel>;
  taps: number;
  /** Addresses outside the app that a tap led to. */
  outside: string[];
  /** The same with a worker that follows the `url` of a push: the control arm. */
  outside_if_accepted: string[];
}

/** Delivers real pushes and forged ones to the worker, and taps each notification. */
export async function tapPushes(scene: Scene): Promise<Pushed> {
  const { canaries, pushes, server } = scene;
  const context = await openContext(scene, { ...WITH_WORKER, permissions: ['notifications'] });
  const page = await context.newPage();
  await page.goto('/login');
  await waitForWorker(page);
  await page.goto('about:blank');
  const driver = await openPushDriver(context, server.url);
  await recordOpened(context);
  const shown = new Set<Channel>();
  for (const push of [...pushes, ...FORGED])
    for (const channel of canaries.noteShown({ text: await tap(context, driver, push) })) shown.add(channel);
  const opened = await listOpened(context);
  await acceptPushedUrl(context);
  await tap(context, driver, { ...FORGED[2], url: AWAY });
  const accepted = (await listOpened(context)).slice(opened.length);
  await context.close();
  const isOutside = (target: string) => URL.parse(target, server.url)?.origin !== server.url;
  return {
    shown,
    taps: opened.length,
    outside: opened.filter(isOutside),
    outside_if_accepted: accepted.filter(isOutside),
  };
}

/** Returns the text of the notification. */
async function tap(context: BrowserContext, driver: PushDriver, push: object): Promise<string> {
  const [count, opened] = [await driver.countShown(), (await listOpened(context)).length];
  await driver.deliver(push);
  await isTrue(async () => (await driver.countShown()) > count, 'no notification was shown');
  const [notification] = await readNotifications(context);
  await tapNotification(context);
  await isTrue(async () => (await listOpened(context)).length > opened, 'a tap opened nothing');
  await closeNotifications(context);
  return `${notification?.title}\n${notification?.body}`;
}

async function isTrue(condition: () => Promise<boolean>, otherwise: string): Promise<void> {
  if (!(await pollUntil(condition, { patience_ms: PATIENCE_MS }))) throw new Error(otherwise);
}
