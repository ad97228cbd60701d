import type { BrowserContext, Locator, Page } from '@playwright/test';

/** Declines the question of body data whenever it appears, for journeys about something else. */
export async function declineWheneverAsked(page: Page): Promise<void> {
  const question = page.getByRole('region', { name: /^(How old are you\?|¿Cuántos años tienes\?)$/ });
  const decline = question.getByRole('button', { name: /^No, (thanks|gracias)$/ });
  // A click of a script, which counts as no tap: the question needs no answer.
  await page.addLocatorHandler(decline, () => clickIfThere(decline));
}

/** Waits for nothing: a question may be gone by itself when it is to be answered. */
function clickIfThere(button: Locator): Promise<void> {
  return button.evaluateAll(([found]) => (found as HTMLElement | undefined)?.click());
}

/** Chooses "Later" whenever the app asks for a name, as it does after a sign-in at a provider that knows none. */
export async function postponeNameWheneverAsked(page: Page): Promise<void> {
  const later = page.getByRole('dialog').getByRole('button', { name: /^(Later|Más tarde)$/ });
  await page.addLocatorHandler(later, () => clickIfThere(later));
}

/**
 * Stores a "no" to the question of body data and "Later" to that of the name, at the first start of the app in this
 * browser: they do not appear until the next sign-in.
 */
export async function answerAhead(context: BrowserContext, user_id: string): Promise<void> {
  await context.addInitScript(storeAnswer, user_id);
}

/**
 * Runs in the page, before the app opens its database: creates it in its first version, which every later one upgrades.
 * Once the database is newer, opening this version fails, so that a later sign-in shows the questions again.
 */
async function storeAnswer(user_id: string): Promise<void> {
  if (!location.protocol.startsWith('http') || location.pathname.startsWith('/oidc/')) return;
  const copies = await navigator.storageBuckets?.open('copies');
  const opening = (copies?.indexedDB ?? indexedDB).open('sendlap-cache', 1);
  opening.addEventListener('upgradeneeded', () => {
    const database = opening.result;
    database.createObjectStore('sport_centers').createIndex('city', 'city_folded');
    database.createObjectStore('user_profile');
    database.createObjectStore('activities', { keyPath: ['user_id', 'client_id'] }).createIndex('owner', 'user_id');
    const metadata = database.createObjectStore('metadata', { keyPath: 'key' });
    for (const question of ['name', 'bio_info']) {
      metadata.add({ key: `${question}_postponed:${user_id}`, value: true, updated_at: Date.now(), user_id });
    }
  });
  opening.addEventListener('success', () => opening.result.close());
}

/** Stores the answer "Not now" to the offer to install, which only a browser with a profile makes. */
export async function declineInstallAhead(context: BrowserContext): Promise<void> {
  await context.addInitScript(() => {
    if (location.protocol.startsWith('http')) localStorage.setItem('install-dismissed-at', String(Date.now()));
  });
}
