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
  /** The pages in which a sign-in or a sign-out is under way. */
  const busy = new Set<Page>();
  /** How many of those have begun. */
  let begun = 0;

  async function whileBusy(work: () => Promise<unknown>, onDone: () => void): Promise<void> {
    const mine = page();
    busy.add(mine);
    begun += 1;
    const my_turn = begun;
    const is_done = await work().then(
      () => true,
      () => false,
    );
    busy.delete(mine);
    // In another tab, something else may have begun since.
    if (is_done && mine.isAlive() && my_turn === begun) onDone();
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
      const { session, shownUser } = page();
      if (busy.has(page()) || session.getState().checking_auth) return false;
      // The answer to its sign-in was lost, and another tab found the session: the user loads this one again.
      if (shownUser() === null && session.lastUserId() === null && browser.isSignedInElsewhere()) {
        await browser.reload();
        return false;
      }
      record.look(shownUser(), about);
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
