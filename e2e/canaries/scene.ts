import { type Browser, type BrowserContext, type BrowserContextOptions, chromium } from '@playwright/test';
import type { Operator } from '../../apps/api/test/app/operator.ts';
import { pollUntil } from '../../apps/api/test/delays.ts';
import type { PushEndpoint } from '../../apps/api/test/push-endpoint.ts';
import { type MailServer, partsOf } from '../../apps/api/test/servers/mail-server.ts';
import { NO_MAP, shellOptions } from '../browser/fixtures.ts';
import { passNight, signUpWithoutScreens } from '../people/athlete.ts';
import { answerAhead } from '../people/welcome.ts';
import type { WholeServer } from '../server/server.ts';
import { Canaries } from './canaries.ts';
import { CENTER_LONGITUDE, importCenters } from './center-files.ts';
import { callAs } from './people.ts';
import { type Spread, spreadCanaries, type World } from './spread.ts';

/** A running server follows an import within 5 s. */
const PATIENCE_MS = 30_000;

/** A server on which canaries wait in every text, and browsers of those who will see them. */
export interface Scene extends World {
  browser: Browser;
  spread: Spread;
  mail: MailServer;
  /** Of the athlete, as the push service got them. */
  pushes: object[];
  /** The mails that the server sent, as HTML. */
  mails: string[];
  contexts: Record<'visitor' | 'athlete' | 'staff' | 'operator', BrowserContext>;
}

interface SceneOptions {
  server: WholeServer;
  operator: Operator;
  browser: Browser;
  /** For files to import. */
  folder: string;
  endpoint: PushEndpoint;
  mail: MailServer;
  /** How many of the payloads are used. */
  payloads: number;
}

export function openBrowser(): Promise<Browser> {
  return chromium.launch(shellOptions(NO_MAP));
}

/** Without the content security policy, and without the worker, which would answer in place of the server. */
export const UNGUARDED: BrowserContextOptions = { bypassCSP: true, serviceWorkers: 'block', locale: 'en-GB' };

export async function openContext(
  { browser, server }: Pick<Scene, 'browser' | 'server'>,
  options: BrowserContextOptions,
): Promise<BrowserContext> {
  const context = await browser.newContext({ baseURL: server.url, ...options });
  await context.clock.install({ time: server.now() });
  return context;
}

/** Opens the browser of a new user. */
export async function openPerson(scene: Pick<Scene, 'browser' | 'server'>, name: string, options = UNGUARDED) {
  const context = await openContext(scene, options);
  const { email, user_id } = await signUpWithoutScreens(context, scene.server, name);
  await answerAhead(context, user_id);
  return { context, caller: await callAs(scene.server, email) };
}

export async function fillScene(options: SceneOptions): Promise<Scene> {
  const { server, operator, browser, folder, endpoint, mail, payloads } = options;
  await passNight(server);
  const canaries = new Canaries(payloads);
  await importCenters(server, canaries, folder);
  const center_ids = await readCenterIds(operator);
  await waitForCenters(server, center_ids.length);
  const [athlete, staff, manager] = [
    await openPerson({ browser, server }, 'Ada'),
    await openPerson({ browser, server }, 'Mia'),
    await openPerson({ browser, server }, 'Olga'),
  ];
  await operator.database.insertInto('operators').values({ user_id: manager.caller.id }).execute();
  const browser_of_pushes = endpoint.openBrowser();
  const { subscription } = browser_of_pushes;
  await athlete.caller.send('POST', '/v1/push-subscriptions', { ...subscription, language: 'en' });
  await athlete.caller.send('PATCH', '/v1/users/settings', { notifications: { show_text: true } });
  const victims = { athlete: athlete.caller, staff: staff.caller, operator: manager.caller };
  const world: World = { server, operator, canaries, victims, center_ids };
  const spread = await spreadCanaries(world);
  return {
    ...world,
    browser,
    spread,
    mail,
    pushes: endpoint.readAll(browser_of_pushes),
    mails: await Promise.all(mail.received.map(async (received) => (await partsOf(received)).html)),
    contexts: {
      visitor: await openContext({ browser, server }, UNGUARDED),
      athlete: athlete.context,
      staff: staff.context,
      operator: manager.context,
    },
  };
}

/** Returns the imported centers from south to north: the order of the payloads. */
async function readCenterIds({ database }: Operator): Promise<string[]> {
  const rows = await database
    .selectFrom('sport_centers')
    .select('id')
    .where('longitude', '=', CENTER_LONGITUDE)
    .orderBy('latitude')
    .execute();
  return rows.map(({ id }) => id);
}

async function waitForCenters({ url }: WholeServer, count: number): Promise<void> {
  const box = [CENTER_LONGITUDE - 0.01, 40, CENTER_LONGITUDE + 0.01, 41].join();
  const areFound = async () => {
    const reply = await fetch(`${url}/v1/sport-centers/search?bbox=${box}&limit=1`);
    return ((await reply.json()) as { data: { total: number } }).data.total === count;
  };
  if (!(await pollUntil(areFound, { patience_ms: PATIENCE_MS, interval_ms: 200 })))
    throw new Error('the server does not find the imported centers');
}
