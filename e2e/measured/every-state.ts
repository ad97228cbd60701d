import { chromium, type Page } from '@playwright/test';
import { afterDelay } from '../../apps/api/test/delays.ts';
import { PATHS } from '../../apps/web/src/shared/paths.ts';
import { NO_MAP, shellOptions } from '../browser/fixtures.ts';
import { recordFindings } from '../browser/sights.ts';
import { WITH_WORKER, waitForWorker } from '../people/athlete.ts';
import { openPool, startSwimming } from '../people/swimming.ts';
import { chooseLanguage, type Language } from '../screens/look.ts';
import { startServer } from '../server/server.ts';
import { walkOpenParts } from './open-parts.ts';
import { fillLists, makeOperatorAndManager, type StaffScene, walkStaff } from './staff-screens.ts';
import { bringAbout, comesTo, listScreens, type State, type StatefulScreen, type Viewer, viewerIn } from './states.ts';
import { checkThemes, openPairedTablet, openPhone, openVisitor, type Walk, watchConsole } from './walk.ts';

/** Printed as one line of JSON. The problems of each screen are in `SIGHTS_FILE`. */
export interface EveryState {
  /** How many screens were seen in each state and language. */
  seen: number;
  /** How many screens of operators and managers were seen with what they list, in each language. */
  staff_seen: number;
  /** How many sheets and open forms were seen, in each language. */
  opened: number;
  /** The control arm: true if no error was seen on a screen that shows none. */
  is_absence_seen: boolean;
}

const STATES: State[] = ['loading', 'error', 'unreached', 'offline', 'refused'];

/** A console error that is expected offline: the worker does not store the code of a screen that needs a network. */
const NOT_STORED = /the code of a screen did not come/;

/** The longest time between a reply and its copy on the device. */
const COPIED_MS = 2_000;

/** Looks at a running activity, and at the same one paused. Returns its id. */
async function walkActivity(walk: Walk): Promise<string> {
  const { server, language } = walk;
  const { context, page } = await openPhone({ ...walk, language: 'en' });
  await openPool({ page }, server);
  await startSwimming({ page });
  const activity_id = new URL(page.url()).pathname.split('/').at(-1) ?? '';
  await chooseLanguage(page, language);
  await page.reload();
  const pause = page.getByRole('button', { name: /^(Pause|Pausar)$/ });
  await pause.waitFor();
  await checkThemes(page, `state-running-${language}`, { at_every_width: language === 'es' });
  await pause.click();
  await page.getByRole('button', { name: /^(Resume|Reanudar)$/ }).waitFor();
  await checkThemes(page, `state-paused-${language}`, { at_every_width: language === 'es' });
  await context.close();
  return activity_id;
}

/** Opens the device of a viewer. For the state `offline` it allows a service worker, which stores the app. */
async function openDevice(walk: Walk, viewer: Viewer, { center_id }: StaffScene, state: State) {
  const options = state === 'offline' ? WITH_WORKER : {};
  if (viewer === 'tablet') return openPairedTablet(walk, center_id);
  if (viewer === 'visitor') return openVisitor(walk, options);
  const phone = await openPhone(walk, options);
  if (viewer === 'staff') await makeOperatorAndManager(walk.server, phone.user_id, center_id);
  return phone;
}

/** Looks at each screen that has the state. Returns how many were seen in it. */
async function walkState(walk: Walk, state: State, staffed: StaffScene, activity_id: string): Promise<number> {
  const screens: [string, StatefulScreen][] = Object.entries(listScreens({ ...staffed, activity_id }));
  const chosen = screens.filter(
    ([name, { states }]) => states.includes(state) && (walk.only.length === 0 || walk.only.includes(name)),
  );
  const by_viewer = Map.groupBy(chosen, ([, screen]) => viewerIn(state, screen));
  let seen = 0;
  for (const [viewer, own] of by_viewer) seen += await walkDevice(walk, state, { viewer, staffed, screens: own });
  return seen;
}

interface DeviceWalk {
  viewer: Viewer;
  staffed: StaffScene;
  screens: [name: string, screen: StatefulScreen][];
}

async function walkDevice(walk: Walk, state: State, { viewer, staffed, screens }: DeviceWalk): Promise<number> {
  const { language } = walk;
  const { context, page } = await openDevice(walk, viewer, staffed, state);
  const noteErrors = watchConsole(
    context,
    `${viewer}-${state}-${language}`,
    state === 'offline' ? NOT_STORED : undefined,
  );
  if (state === 'offline') {
    if (viewer === 'athlete' || viewer === 'staff') await page.goto(PATHS.dashboard);
    await waitForWorker(page);
  }
  if (state === 'unreached' && viewer === 'athlete') await visitHome(page);
  await bringAbout(context, state);
  let seen = 0;
  for (const [screen, { path, open, ...signs }] of screens) {
    const name = `state-${screen}-${state}-${language}`;
    await page.emulateMedia({ colorScheme: 'light' });
    await page.goto(path);
    await open?.(page);
    const is_seen = await comesTo(page, state, signs);
    recordFindings(name, is_seen ? [] : [`was never seen in the state "${state}"`]);
    if (is_seen) seen += 1;
    await checkThemes(page, name, { at_every_width: language === 'es' });
  }
  noteErrors();
  await context.close();
  return seen;
}

/** Shows Home until the device has copied the server's list, even an empty one. */
async function visitHome(page: Page): Promise<void> {
  const listed = page.waitForResponse((response) => new URL(response.url()).pathname === '/v1/activities');
  await page.goto(PATHS.dashboard);
  await listed;
  await afterDelay(COPIED_MS);
}

/** Opens a page that needs nothing from a failing server. Returns true if no error is seen on it. */
async function isAbsenceSeen(walk: Walk): Promise<boolean> {
  const { context, page } = await openPhone(walk);
  await bringAbout(context, 'error');
  await page.goto('/about');
  const is_absent = !(await comesTo(page, 'error', {}, 3_000));
  await context.close();
  return is_absent;
}

const only = process.argv.slice(2);
const server = await startServer({ is_printing: false });
const browser = await chromium.launch(shellOptions(NO_MAP));
try {
  const staffed = await fillLists(server);
  const walkLanguage = async (language: Language) => {
    const walk = { browser, server, language, only };
    const activity_id = await walkActivity(walk);
    let seen = 0;
    for (const state of STATES) seen += await walkState(walk, state, staffed, activity_id);
    return { seen, staff_seen: await walkStaff(walk, staffed), opened: await walkOpenParts(walk, staffed) };
  };
  const walks = await Promise.all([walkLanguage('en'), walkLanguage('es')]);
  const sum = (counts: number[]) => counts.reduce((total, count) => total + count);
  const opened = sum(walks.map((walk) => walk.opened));
  const is_absence_seen = await isAbsenceSeen({ browser, server, language: 'en', only });
  const seen = sum(walks.map((walk) => walk.seen));
  const staff_seen = sum(walks.map((walk) => walk.staff_seen));
  const result: EveryState = { seen, staff_seen, opened, is_absence_seen };
  console.log(`EVERY-STATE ${JSON.stringify(result)}`);
} finally {
  await browser.close();
  await server.remove();
}
