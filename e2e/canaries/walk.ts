import type { BrowserContext } from '@playwright/test';
import { pollUntil } from '../../apps/api/test/delays.ts';
import { PATHS } from '../../apps/web/src/shared/paths.ts';
import { openKiosk } from '../people/kiosk.ts';
import type { Channel } from './canaries.ts';
import type { Scene } from './scene.ts';
import { UNGUARDED } from './scene.ts';
import { listScreens, PEOPLE, type Person, temptingPaths } from './screens.ts';
import { walkServerPages } from './server-pages.ts';
import { type Finding, watchPage } from './watch.ts';

const PATIENCE_MS = 15_000;

export interface Walk {
  findings: Finding[];
  /** Screens that do not show what they must. */
  blind: string[];
  screens: number;
}

/** What a person has to see on a screen. */
interface Stop {
  path: string;
  channels: readonly Channel[];
}

const KIOSK_STOPS: Stop[] = [
  { path: '/kiosk', channels: ['name', 'edited center name'] },
  { path: '/kiosk/set-up', channels: [] },
];

/** Those who follow tempting links too. */
const FOLLOWERS: readonly Person[] = ['visitor', 'athlete'];

/** Each person opens every screen. */
export async function walkAll(scene: Scene): Promise<Walk[]> {
  const { server, spread, center_ids, canaries, contexts } = scene;
  const screens = listScreens({ ...spread, center_ids });
  const tempting = temptingPaths(screens, (nth) => canaries.make('address', nth));
  const stopsOf = (who: Person): Stop[] => [
    ...screens
      .filter(({ only }) => only === undefined || only === who)
      .map(({ path, shows }) => ({ path, channels: shows?.[who] ?? [] })),
    ...(FOLLOWERS.includes(who) ? tempting : []).map((path) => ({ path, channels: shownOf(path, who) })),
  ];
  const kiosk = await openKiosk(scene.browser, server, center_ids[0] ?? '', UNGUARDED);
  // At a time: a screen mostly waits.
  return Promise.all([
    ...PEOPLE.map((who) => walk(scene, contexts[who], who, stopsOf(who))),
    walk(scene, kiosk.context, 'kiosk', KIOSK_STOPS),
    readMails(scene),
    walkServerPages(scene),
  ]);
}

/** The search of centers shows the text of its address in its field. */
function shownOf(path: string, who: Person): Channel[] {
  return who === 'athlete' && path.startsWith(`${PATHS.sportCenters}?`) ? ['address'] : [];
}

/** Opens one screen after another and looks for canaries, until each screen shows those that it must. */
async function walk({ server, canaries }: Scene, context: BrowserContext, who: string, stops: Stop[]): Promise<Walk> {
  const watched = await watchPage(context, server.url, who);
  const blind: string[] = [];
  const begun_at = performance.now();
  for (const { path, channels } of stops) {
    await watched.open(path);
    const missing = new Set(channels);
    const isShown = async () => {
      for (const channel of canaries.noteShown(await watched.inspect())) missing.delete(channel);
      return missing.size === 0;
    };
    const is_shown = await pollUntil(isShown, { patience_ms: PATIENCE_MS, interval_ms: 100 });
    if (is_shown) continue;
    blind.push(`${who} ${path} shows no canary of: ${[...missing].join(', ')}`);
    console.log(`   ! ${blind.at(-1)}`);
  }
  console.log(`${who}: ${stops.length} screens in ${((performance.now() - begun_at) / 1000).toFixed(0)} s`);
  await context.close();
  return { findings: watched.findings, blind, screens: stops.length };
}

/** Opens the mails as a web mailer does that checks nothing. */
async function readMails({ server, canaries, mails, ...scene }: Scene): Promise<Walk> {
  const context = await scene.browser.newContext(UNGUARDED);
  const watched = await watchPage(context, server.url, 'reader of mails');
  const blind: string[] = [];
  for (const [nth, mail] of mails.entries()) {
    await watched.page.setContent(mail);
    if (!canaries.noteShown(await watched.inspect()).has('center name')) blind.push(`mail ${nth}: no center name`);
  }
  await context.close();
  return { findings: watched.findings, blind, screens: mails.length };
}
