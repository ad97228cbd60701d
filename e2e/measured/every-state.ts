import { type Browser, type BrowserContextOptions, chromium, expect, type Page } from '@playwright/test';
import { NO_MAP, shellOptions } from '../browser/fixtures.ts';
import { signUpWithoutScreens, WITH_WORKER, waitForWorker } from '../people/athlete.ts';
import { openPool, startSwimming } from '../people/swimming.ts';
import { answerAhead } from '../people/welcome.ts';
import { lookAtEveryWidth, noteSight } from '../screens/every-look.ts';
import { COLOUR_RULES, chooseLanguage, judgeTheme, type Language } from '../screens/look.ts';
import { startServer, type WholeServer } from '../server/server.ts';
import { bringAbout, comesTo, listScreens, type State } from './states.ts';

/** Printed as one line of JSON. The sights themselves are in the file of the sights. */
export interface EveryState {
  /** How many screens were seen in each state and language. */
  seen: number;
  /** Whether a screen without an error was said to have none: the control arm. */
  is_absence_seen: boolean;
}

const PHONE: BrowserContextOptions = {
  viewport: { width: 390, height: 844 },
  timezoneId: 'UTC',
  reducedMotion: 'reduce',
  serviceWorkers: 'block',
};
const LOCALES: Record<Language, string> = { en: 'en-GB', es: 'es-ES' };
const STATES: State[] = ['loading', 'error', 'unreached', 'offline', 'refused'];

interface Walk {
  browser: Browser;
  server: WholeServer;
  language: Language;
  /** The screens to be looked at; none: all. */
  only: string[];
}

async function openPhone({ browser, server, language }: Walk, options: BrowserContextOptions = {}) {
  const context = await browser.newContext({ ...PHONE, locale: LOCALES[language], baseURL: server.url, ...options });
  await context.clock.install({ time: server.now() });
  const { user_id } = await signUpWithoutScreens(context, server, 'Anastasia Hohenberger-Villalobos');
  await answerAhead(context, user_id);
  const page = await context.newPage();
  await page.goto('/about');
  await chooseLanguage(page, language);
  return { context, page };
}

/** Judges both themes; in Spanish, which has the longer words, at every width too. */
async function judge(page: Page, name: string, has_widths: boolean): Promise<void> {
  await page.emulateMedia({ colorScheme: 'light' });
  noteSight(`${name}-light`, await judgeTheme(page, `${name}-light`));
  await page.emulateMedia({ colorScheme: 'dark' });
  noteSight(`${name}-dark`, await judgeTheme(page, `${name}-dark`, COLOUR_RULES));
  if (has_widths) await lookAtEveryWidth(page, name, noteSight);
}

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
  const walkLanguage = async (language: Language) => {
    const walk = { browser, server, language, only };
    const ids = await walkActivity(walk);
    let seen = 0;
    for (const state of STATES) seen += await walkState(walk, state, ids);
    return seen;
  };
  const seen = await Promise.all([walkLanguage('en'), walkLanguage('es')]);
  const is_absence_seen = await isAbsenceSeen({ browser, server, language: 'en', only });
  const result: EveryState = { seen: seen.reduce((sum, count) => sum + count), is_absence_seen };
  console.log(`EVERY-STATE ${JSON.stringify(result)}`);
} finally {
  await browser.close();
  await server.remove();
}
