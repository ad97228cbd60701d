import type { Browser, BrowserContextOptions, Page } from '@playwright/test';
import { signUpWithoutScreens } from '../people/athlete.ts';
import { answerAhead } from '../people/welcome.ts';
import { lookAtEveryWidth, noteSight } from '../screens/every-look.ts';
import { COLOUR_RULES, chooseLanguage, judgeTheme, type Language } from '../screens/look.ts';
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

/** Opens the phone of a new user with a long name. */
export async function openPhone({ browser, server, language }: Walk, options: BrowserContextOptions = {}) {
  const context = await browser.newContext({ ...PHONE, locale: LOCALES[language], baseURL: server.url, ...options });
  await context.clock.install({ time: server.now() });
  const { user_id } = await signUpWithoutScreens(context, server, 'Anastasia Hohenberger-Villalobos');
  await answerAhead(context, user_id);
  const page = await context.newPage();
  await page.goto('/about');
  await chooseLanguage(page, language);
  return { context, page, user_id };
}

/** Judges both themes; in Spanish, which has the longer words, at every width too. */
export async function judge(page: Page, name: string, has_widths: boolean): Promise<void> {
  await page.emulateMedia({ colorScheme: 'light' });
  noteSight(`${name}-light`, await judgeTheme(page, `${name}-light`));
  await page.emulateMedia({ colorScheme: 'dark' });
  noteSight(`${name}-dark`, await judgeTheme(page, `${name}-dark`, COLOUR_RULES));
  if (has_widths) await lookAtEveryWidth(page, name, noteSight);
}
