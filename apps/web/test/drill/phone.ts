import { isUnreachable } from '#web/shared/api/errors.ts';
import { type BrowserDeps, createBrowser } from './browser.ts';
import { openPage, type Page, type PageDeps } from './page.ts';
import { type ActionsOptions, createActions } from './saved-actions.ts';

const PATIENCE_MS = 300_000;
const LOOK_MS = 200;
const SIGN_IN_TRIES = 5;

interface PhoneOptions extends BrowserDeps, ActionsOptions, Pick<PageDeps, 'wait'> {
  email: string;
  password: string;
}

/** What the phone still has, or says that it cannot bring back. */
export interface Leftovers {
  /** Ids of what waits to be sent. */
  queued: string[];
  /** Ids of ops and messages that the server refused, with its code. */
  refused: { id: string; code: string }[];
  /** Sealed records, of any user. */
  sealed: number;
}

export type DrillPhone = Awaited<ReturnType<typeof createPhone>>;

/** A phone of one athlete, with the app's own outbox and session. */
export async function createPhone(options: PhoneOptions) {
  const { email, password, wait } = options;
  const browser = createBrowser(options);
  let user_id = '';
  const { acknowledge, ...actions } = createActions({ ...options, page: () => page, userId: () => user_id });
  let page: Page = await open();

  async function open(): Promise<Page> {
    const opened = await openPage(browser, options);
    opened.outbox.onResults((results) => {
      for (const { op_id, outcome } of results) if (outcome !== 'rejected') acknowledge(op_id);
    });
    opened.outbox.onMessageSent(async ({ id }) => acknowledge(id));
    return opened;
  }

  /** Throws what the server answers; without an answer, the user tries again. */
  async function signIn(tries = SIGN_IN_TRIES): Promise<void> {
    try {
      await page.signIn(email, password);
      user_id = page.shownUserId() ?? '';
    } catch (error) {
      if (!isUnreachable(error) || tries === 1) throw error;
      await signIn(tries - 1);
    }
  }

  return {
    ...actions,
    signIn: () => signIn(),
    isSignedIn: () => page.shownUserId() !== null,
    userId: () => user_id,
    setOnline(is_online: boolean): void {
      browser.setOnline(is_online);
      if (is_online) void page.outbox.flush();
    },
    /** Loads the app again on the same phone. */
    async reload(): Promise<void> {
      page.end();
      page = await open();
    },
    /** Resolves when the page knows whether its session lives. */
    async waitForServer(): Promise<void> {
      const give_up_at = Date.now() + PATIENCE_MS;
      while (Date.now() < give_up_at && page.session.getState().checking_auth) await wait(LOOK_MS);
      await Promise.race([page.outbox.flush(), wait(PATIENCE_MS)]);
    },
    /** Sends all that waits. Returns whether nothing is left within the patience of the drill. */
    async settle(): Promise<boolean> {
      const give_up_at = Date.now() + PATIENCE_MS;
      for (;;) {
        const { opening } = page.sealedWork.getState();
        if (opening.length === 0 && (await listQueued(page, user_id)).length === 0) return true;
        if (Date.now() > give_up_at) return false;
        void page.sealedWork.refresh();
        await Promise.race([page.outbox.flush(), wait(LOOK_MS)]);
        await wait(LOOK_MS);
      }
    },
    async leftovers(): Promise<Leftovers> {
      const { dead, messages } = await page.rowsOf(user_id);
      const refused_messages = messages.flatMap(({ client_id, refused }) =>
        refused === null ? [] : [{ id: client_id, code: refused.code }],
      );
      return {
        queued: await listQueued(page, user_id),
        refused: [...dead.map(({ op_id, code }) => ({ id: op_id, code })), ...refused_messages],
        sealed: (await page.listSealed()).length,
      };
    },
    close: () => page.end(),
  };
}

async function listQueued({ rowsOf }: Page, user_id: string): Promise<string[]> {
  const { ops, messages } = await rowsOf(user_id);
  const waiting = messages.filter(({ refused }) => refused === null);
  return [...ops.map(({ op_id }) => op_id), ...waiting.map(({ client_id }) => client_id)];
}
