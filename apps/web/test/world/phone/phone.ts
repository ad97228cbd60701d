import { type BrowserDeps, createBrowser } from './browser.ts';
import type { Page } from './page.ts';
import { createSignInRecord } from './record.ts';

/** As many as a save takes. */
const SAVE_TURNS = 40;

/** What the user of a phone does with the app. */
export interface Person {
  /** Records something. Resolves when the app says that it is saved. */
  save(page: Page, device: { wallNow: () => number; isOnline: () => boolean }): Promise<void>;
  /** Answers the app's questions, and reads what the server refused. */
  readRefusals(page: Page): Promise<void>;
}

/** One phone and the people who use it. */
export async function createPhone(deps: BrowserDeps, person: Person) {
  const { random, moments, see } = deps;
  const browser = await createBrowser(deps);
  const { page } = browser;
  const record = createSignInRecord();
  const save = () => person.save(page(), { wallNow: browser.wallNow, isOnline: browser.network.isOnline });
  /** The page in which a sign-in or a sign-out is under way. */
  let busy_page: unknown = null;

  async function whileBusy(work: () => Promise<unknown>, onDone: () => void): Promise<void> {
    const mine = page();
    busy_page = mine;
    const is_done = await work().then(
      () => true,
      () => false,
    );
    if (mine !== page()) return;
    busy_page = null;
    if (is_done) onDone();
  }

  async function signIn(user_id: string): Promise<void> {
    record.signingIn(user_id);
    await whileBusy(
      () => page().signIn(user_id),
      () => record.signedIn(user_id),
    );
  }

  async function signOut(): Promise<void> {
    const { session } = page();
    see('sign-out');
    record.signingOut();
    await whileBusy(session.logout, () => {
      if (session.getState().error !== null) see('sign-out without an answer');
      record.signedOut();
    });
  }

  return {
    ...browser,
    record,
    signIn,
    signOut,
    save,
    readRefusals: () => person.readRefusals(page()),
    /** Perhaps in the middle of a save. */
    async crash(): Promise<void> {
      if (random.chance(0.5)) {
        void save().catch(() => {});
        await moments.settle(random.below(SAVE_TURNS));
      }
      await browser.crash();
    },
    /** Looks at the screen. Returns whether the page knows who is signed in, and waits for nothing. */
    async look(about: string): Promise<boolean> {
      await browser.attend();
      if (busy_page === page() || page().session.getState().checking_auth) return false;
      record.look(page().shownUser(), about);
      return true;
    },
    /** Asks again about scans that waited at the server. */
    async requeueWaiting(): Promise<void> {
      const { outbox, shownUser } = page();
      await outbox.requeueWaitingScans(shownUser() ?? '');
    },
    /** Of the signed-in user, after what the app asks is answered. */
    async countUnsent(): Promise<number> {
      await person.readRefusals(page());
      const { ops, dead } = await page().rowsOf(page().shownUser() ?? '');
      return ops.length + dead.length;
    },
  };
}

export type Phone = Awaited<ReturnType<typeof createPhone>>;
