import { chromium, expect } from '@playwright/test';
import { NO_MAP, shellOptions } from '../browser/fixtures.ts';
import { WITH_WORKER, waitForWorker } from '../people/athlete.ts';
import { openPool, startSwimming } from '../people/swimming.ts';
import { noteSight } from '../screens/every-look.ts';
import { chooseLanguage, type Language } from '../screens/look.ts';
import { startServer } from '../server/server.ts';
import { fillLists, walkStaff } from './staff-screens.ts';
import { bringAbout, comesTo, listScreens, type State } from './states.ts';
import { judge, openPhone, type Walk } from './walk.ts';

/** Printed as one line of JSON. The sights themselves are in the file of the sights. */
export interface EveryState {
  /** How many screens were seen in each state and language. */
  seen: number;
  /** How many screens of operators and managers were seen with what they list, in each language. */
  staff_seen: number;
  /** Whether a screen without an error was said to have none: the control arm. */
  is_absence_seen: boolean;
}

const STATES: State[] = ['loading', 'error', 'unreached', 'offline', 'refused'];

/** Looks at an activity that runs, and one that rests. Returns the ids of the center and the activity. */
async function walkActivity(walk: Walk): Promise<[center_id: string, activity_id: string]> {
  const { server, language } = walk;
  const { context, page } = await openPhone({ ...walk, language: 'en' });
  const center_id = await openPool({ page }, server);
  await startSwimming({ page });
  const activity_id = new URL(page.url()).pathname.split('/').at(-1) ?? '';
  await chooseLanguage(page, language);
  await page.reload();
  const pause = page.getByRole('button', { name: /^(Pause|Pausar)$/ });
  await expect(pause).toBeVisible();
  await judge(page, `state-running-${language}`, language === 'es');
  await pause.click();
  await expect(page.getByRole('button', { name: /^(Resume|Reanudar)$/ })).toBeVisible();
  await judge(page, `state-paused-${language}`, language === 'es');
  await context.close();
  return [center_id, activity_id];
}

/** Looks at each screen that has the state. Returns how many were seen in it. */
async function walkState(walk: Walk, state: State, ids: [string, string]): Promise<number> {
  const { language, only } = walk;
  const { context, page } = await openPhone(walk, state === 'offline' ? WITH_WORKER : {});
  if (state === 'offline') {
    await page.goto('/dashboard');
    await waitForWorker(page);
  }
  await bringAbout(context, state);
  const screens = Object.entries(listScreens(...ids)).filter(([, { states }]) => states.includes(state));
  let seen = 0;
  for (const [screen, { path }] of screens) {
    if (only.length > 0 && !only.includes(screen)) continue;
    const name = `state-${screen}-${state}-${language}`;
    await page.emulateMedia({ colorScheme: 'light' });
    await page.goto(path);
    const is_seen = await comesTo(page, state);
    noteSight(name, is_seen ? [] : [`was never seen in the state "${state}"`]);
    if (is_seen) seen += 1;
    await judge(page, name, language === 'es');
  }
  await context.close();
  return seen;
}

/** A page that needs nothing from the server shows no error, and must not be said to have shown one. */
async function isAbsenceSeen(walk: Walk): Promise<boolean> {
  const { context, page } = await openPhone(walk);
  await bringAbout(context, 'error');
  await page.goto('/about');
  const is_absent = !(await comesTo(page, 'error', 3_000));
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
    const ids = await walkActivity(walk);
    let seen = 0;
    for (const state of STATES) seen += await walkState(walk, state, ids);
    return { seen, staff_seen: await walkStaff(walk, staffed) };
  };
  const walks = await Promise.all([walkLanguage('en'), walkLanguage('es')]);
  const sum = (counts: number[]) => counts.reduce((total, count) => total + count);
  const is_absence_seen = await isAbsenceSeen({ browser, server, language: 'en', only });
  const seen = sum(walks.map((walk) => walk.seen));
  const staff_seen = sum(walks.map((walk) => walk.staff_seen));
  const result: EveryState = { seen, staff_seen, is_absence_seen };
  console.log(`EVERY-STATE ${JSON.stringify(result)}`);
} finally {
  await browser.close();
  await server.remove();
}
