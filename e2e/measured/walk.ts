import type { Browser, BrowserContext, BrowserContextOptions, Page } from '@playwright/test';
import { recordUnexpectedErrors } from '../browser/console.ts';
import { recordFindings } from '../browser/sights.ts';
import { signUpWithoutScreens, WITH_WORKER } from '../people/athlete.ts';
import { openKiosk, type Tablet } from '../people/kiosk.ts';
import { answerAhead } from '../people/welcome.ts';
import { lookAtEveryWidth } from '../screens/every-look.ts';
import { COLOUR_RULES, checkTheme, chooseLanguage, type Language } from '../screens/look.ts';
import type { WholeServer } from '../server/server.ts';

const PHONE: BrowserContextOptions = {
  viewport: { width: 390, height: 844 },
  timezoneId: 'UTC',
  reducedMotion: 'reduce',
  serviceWorkers: 'block',
};
const LOCALES: Record<Language, string> = { en: 'en-GB', es: 'es-ES' };

export interface Walk {
  browser: Browser;
  server: WholeServer;
  language: Language;
  /** The screens to be looked at; none: all. */
  only: string[];
}

/** Opens the phone of a visitor, or prepared by `signIn`. */
export async function openVisitor<Account = undefined>(
  { browser, server, language }: Walk,
  options: BrowserContextOptions = {},
  signIn?: (context: BrowserContext) => Promise<Account>,
) {
  const context = await browser.newContext({ ...PHONE, locale: LOCALES[language], baseURL: server.url, ...options });
  await context.clock.install({ time: server.now() });
  const account = await signIn?.(context);
  const page = await context.newPage();
  await page.goto('/about');
  await chooseLanguage(page, language);
  return { context, page, account };
}

/** Opens the phone of a new user with a long name. */
export async function openPhone(walk: Walk, options: BrowserContextOptions = {}) {
  const {
    context,
    page,
    account = '',
  } = await openVisitor(walk, options, async (opened) => {
    const { user_id } = await signUpWithoutScreens(opened, walk.server, 'Anastasia Hohenberger-Villalobos');
    await answerAhead(opened, user_id);
    return user_id;
  });
  return { context, page, user_id: account };
}

/** Opens a paired tablet of the center. */
export function openPairedTablet({ browser, server, language }: Walk, center_id: string): Promise<Tablet> {
  return openKiosk(browser, server, center_id, { ...WITH_WORKER, reducedMotion: 'reduce', locale: LOCALES[language] });
}

/** Records the errors that the pages of a browser write to their console. Returns what notes the others than `told`. */
export function watchConsole(context: BrowserContext, name: string, told?: RegExp): () => void {
  const errors = recordUnexpectedErrors(context);
  return () =>
    recordFindings(
      `console of ${name}`,
      [...errors].filter((text) => !told?.test(text)),
    );
}

/** Judges both themes; in Spanish, which has the longer words, at every width too. */
export async function checkThemes(
  page: Page,
  name: string,
  { at_every_width }: { at_every_width: boolean },
): Promise<void> {
  await page.emulateMedia({ colorScheme: 'light' });
  recordFindings(`${name}-light`, await checkTheme(page, `${name}-light`));
  await page.emulateMedia({ colorScheme: 'dark' });
  recordFindings(`${name}-dark`, await checkTheme(page, `${name}-dark`, COLOUR_RULES));
  if (at_every_width) await lookAtEveryWidth(page, name, recordFindings);
}
