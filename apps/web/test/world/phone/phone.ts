import { OutboxError } from '#web/shared/outbox/store/errors.ts';
import type { See } from '../base/sights.ts';
import { type Browser, type BrowserDeps, createBrowser } from './browser.ts';
import type { Page } from './page.ts';
import { createSignInRecord } from './record.ts';

/** As many as a save takes. */
export const SAVE_TURNS = 40;

/** What the user of a phone does with the app. */
export interface Person {
  /** Records something. Resolves when the app says that it is saved. */
  save(page: Page, device: { wallNow: () => number; isOnline: () => boolean }): Promise<void>;
  /** Answers the app's questions, and reads what the server refused. */
  readRefusals(page: Page): Promise<void>;
}

/** One phone and the people who use it. */
export async function createPhone(deps: Omit<BrowserDeps, 'onKept'>, person: Person) {
  const { random, moments, see } = deps;
  const record = createSignInRecord();
  const browser = await createBrowser({ ...deps, onKept: record.kept });
  const { page } = browser;
  const { busy, whileBusy } = createBusyPages(page);
  /** The answer to a sign-in was lost, and another tab found the session: the user loads these again. */
  const left_behind = new WeakSet<Page>();
  /** Without a user while a full disk did not keep it: only the server could name it to them. */
  const forgotten = new WeakSet<Page>();

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

  const save = createSave(browser, person, see);

  return {
    ...browser,
    record,
    signIn,
    signOut,
    save,
    /** What a full disk refuses is answered another time. */
    readRefusals: () => person.readRefusals(page()).catch(() => {}),
    /** Perhaps in the middle of a save. */
    async crash(): Promise<void> {
      if (random.chance(0.5)) {
        void save();
        await moments.settle(random.below(SAVE_TURNS));
      }
      await browser.crash();
    },
    /** Looks at the screen. Returns whether the page knows who is signed in, and waits for nothing. */
    async look(about: string): Promise<boolean> {
      await browser.attend();
      if (record.mayForget()) for (const one of browser.signedOutPages()) forgotten.add(one);
      const { session, shownUser } = page();
      if (busy.has(page()) || session.getState().checking_auth) return false;
      if (shownUser() === null && left_behind.has(page())) {
        await browser.reload();
        return false;
      }
      const is_found = record.look(shownUser(), about, forgotten.has(page()));
      if (is_found) for (const other of browser.signedOutPages()) left_behind.add(other);
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

/** The pages in which a sign-in or a sign-out is under way. */
function createBusyPages(page: () => Page) {
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

  return { busy, whileBusy };
}

/** Not twice at a time: a full disk takes seconds to refuse, and the screen waits for it. */
function createSave({ page, wallNow, network }: Browser, person: Person, see: See): () => Promise<void> {
  let saving: Page | null = null;
  return async () => {
    if (saving?.isAlive()) return;
    const mine = page();
    saving = mine;
    try {
      await person.save(mine, { wallNow, isOnline: network.isOnline });
    } catch (error) {
      if (error instanceof OutboxError && error.code === 'storage_full') see('refused by a full disk');
    } finally {
      if (saving === mine) saving = null;
    }
  };
}
