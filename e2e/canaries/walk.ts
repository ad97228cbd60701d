import { type BrowserContext, errors, type Locator, type Page } from '@playwright/test';
import { pollUntil } from '../../apps/api/test/delays.ts';
import { PATHS } from '../../apps/web/src/shared/paths.ts';
import { openKiosk } from '../people/kiosk.ts';
import type { Canaries, Channel } from './canaries.ts';
import { type ClosedPart, insideOf, listClosedParts } from './closed-parts.ts';
import type { Scene } from './scene.ts';
import { UNGUARDED } from './scene.ts';
import { listScreens, PEOPLE, type Person, temptingPaths } from './screens.ts';
import { walkServerPages } from './server-pages.ts';
import { type Finding, type WatchedPage, watchPage } from './watch.ts';

const PATIENCE_MS = 15_000;
/** Of a button that may be gone. */
const PRESS_MS = 1_000;
/** For all pages of a list. */
const PAGES_PATIENCE_MS = 60_000;

export interface Walk {
  findings: Finding[];
  /** Screens that do not show what they must. */
  blind: string[];
  screens: number;
  /** Parts that were closed and have been opened. */
  parts: number;
}

/** What a person has to see on a screen. */
interface Stop {
  path: string;
  channels: readonly Channel[];
  /** A part of the screen that has to be opened. */
  part?: ClosedPart;
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
  const parts = Object.values(listClosedParts({ ...spread, center_ids })).filter((part) => typeof part !== 'string');
  const tempting = temptingPaths(screens, (nth) => canaries.make('address', nth));
  const stopsOf = (who: Person): Stop[] => [
    ...screens
      .filter(({ only }) => only === undefined || only === who)
      .map(({ path, shows }) => ({ path, channels: shows?.[who] ?? [] })),
    ...(FOLLOWERS.includes(who) ? tempting : []).map((path) => ({ path, channels: shownOf(path, who) })),
    ...parts
      .flat()
      .filter((part) => part.who === who)
      .map((part) => ({ path: part.path, channels: part.shows ?? [], part })),
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
  for (const stop of stops) {
    const { path, part } = stop;
    const missing = await lookAt(watched, canaries, stop);
    if (missing === null) continue;
    const where = part ? `${path} [${part.press.join(', ')}]` : path;
    blind.push(`${who} ${where} ${missing}`);
    console.log(`   ! ${blind.at(-1)}`);
  }
  const parts = stops.filter(({ part }) => part).length;
  const time = ((performance.now() - begun_at) / 1000).toFixed(0);
  console.log(`${who}: ${stops.length - parts} screens and ${parts} closed parts in ${time} s`);
  await context.close();
  return { findings: watched.findings, blind, screens: stops.length - parts, parts };
}

/** Returns the problem; null: the screen, or its part, shows the canaries that it must. */
async function lookAt(
  watched: WatchedPage,
  canaries: Canaries,
  { path, channels, part }: Stop,
): Promise<string | null> {
  await watched.open(path);
  if (part && !(await press(watched, part))) return 'does not open';
  const missing = new Set(channels);
  const isShown = async () => {
    for (const channel of canaries.noteShown(await watched.inspect(part && insideOf(part)))) missing.delete(channel);
    return missing.size === 0;
  };
  const is_shown = await pollUntil(isShown, { patience_ms: PATIENCE_MS, interval_ms: 100 });
  return is_shown ? null : `shows no canary of: ${[...missing].join(', ')}`;
}

/** Opens a closed part. Returns whether it was seen. */
async function press({ page }: WatchedPage, part: ClosedPart): Promise<boolean> {
  const buttons = part.press.map((what) =>
    (typeof what === 'string' ? page.locator(what) : page.getByRole('button', { name: what })).first(),
  );
  try {
    await part.before?.(page);
    for (const button of buttons) await button.click({ timeout: PATIENCE_MS });
    const last = buttons.at(-1);
    if (last && part.is_repeated) await pressWhileThere(page, last);
    await page.locator(insideOf(part)).first().waitFor({ timeout: PATIENCE_MS });
    return true;
  } catch (error) {
    if (!(error instanceof errors.TimeoutError)) throw error;
    return false;
  }
}

/** Presses a button until it is gone, as with the last page of a list. Throws for a list without an end. */
async function pressWhileThere(page: Page, button: Locator): Promise<void> {
  const isGone = async () => {
    if (!(await button.isVisible())) return true;
    // The last page may arrive before the press.
    await button.click({ timeout: PRESS_MS }).catch(() => {});
    return false;
  };
  if (!(await pollUntil(isGone, { patience_ms: PAGES_PATIENCE_MS })))
    throw new Error(`a list of ${page.url()} does not end`);
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
  return { findings: watched.findings, blind, screens: mails.length, parts: 0 };
}
