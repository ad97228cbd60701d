import { LRUCache } from 'lru-cache';
import type { Database } from '#api/database/database.ts';
import type { KeptFor } from '#api/events/event-store.ts';
import { systemTimer, type Timer } from '#api/platform/timer.ts';
import { isWanted, type News, newsOf, payloadFor, secondsOfUse } from './news.ts';
import { dropOldNews } from './old-news.ts';
import type { Push } from './push-client.ts';
import { findDecisions, listSubscriptions } from './store.ts';

/** News is batched over this time, so that a thousand messages cost as many queries as one. */
const TOGETHER_MS = 200;
/** Minimum time between two pushes of a subject; the later one carries the newest news. */
const APART_MS = 2_000;
/**
 * Debounce per kind: a message may be read on another device, and a request may be withdrawn. Later news of the subject
 * restarts the wait, up to twice this time in total.
 */
const HOLD_MS = { messages: 2_000, friends: 2_000, proofs: 0 };
/** Retry interval while the database does not answer. */
const RETRY_MS = 5_000;
/** Limit of waiting news; more is dropped, because the app itself shows everything. */
const MAX_WAITING = 20_000;
const MAX_USERS = 5_000;
/** How long a decision counts as news; later events of the activity have other reasons. */
const DECISION_IS_NEWS_MS = 120_000;
const MAX_REMEMBERED = 10_000;

interface AnnouncerOptions {
  database: Database;
  add: (push: Push) => void;
  /** Returns an opaque name of the subject. */
  topicOf: (subject: string) => string;
  now: () => Date;
  timer?: Timer;
  log: { warn(fields: object, text: string): void };
}

interface Waiting {
  news: News;
  /** Both in the timer's ms. */
  since: number;
  due_at: number;
}

/** Turns kept events into pushes to the users who want them. */
export function createAnnouncer(options: AnnouncerOptions) {
  const { log, now, timer = systemTimer } = options;
  const waiting = new Map<string, Waiting>();
  /** Time of the last push of a subject, by the timer. */
  const told_at = new Map<string, number>();
  const told_decisions = new LRUCache<string, true>({ max: MAX_REMEMBERED });
  let cancelWake: (() => void) | undefined;
  let running: Promise<void> | undefined;
  let failed_at = Number.NEGATIVE_INFINITY;
  let is_closed = false;

  /** Queues news; later news of a subject replaces the waiting one. */
  function put(news: News, { over }: { over: boolean }): void {
    const key = keyOf(news);
    const before = waiting.get(key);
    if (before ? !over : waiting.size >= MAX_WAITING) return;
    const [at, hold_ms] = [timer.now(), HOLD_MS[news.kind]];
    const since = before?.since ?? at;
    waiting.set(key, { news, since, due_at: Math.min(at + hold_ms, since + 2 * hold_ms) });
  }

  const isApart = (key: string) => timer.now() - (told_at.get(key) ?? Number.NEGATIVE_INFINITY) >= APART_MS;

  function takeDue(all: boolean): News[] {
    for (const key of [...told_at.keys()]) if (isApart(key)) told_at.delete(key);
    const due: News[] = [];
    for (const [key, { news, due_at }] of waiting) {
      if (due.length >= MAX_USERS) break;
      if (!all && (timer.now() < due_at || !isApart(key))) continue;
      waiting.delete(key);
      due.push(news);
    }
    return due;
  }

  async function announce(all: boolean): Promise<void> {
    const due = takeDue(all);
    if (due.length === 0) return;
    try {
      const pushes = await pushesOf(options, due, told_decisions);
      for (const { push, key } of pushes) {
        told_at.set(key, timer.now());
        options.add(push);
      }
    } catch (error) {
      log.warn({ err: error }, 'some news is told later');
      failed_at = timer.now();
      for (const news of due) put(news, { over: false });
    }
  }

  function wake(): void {
    if (cancelWake || running || is_closed) return;
    const wait_ms = Math.max(TOGETHER_MS, failed_at + RETRY_MS - timer.now());
    cancelWake = timer.after(wait_ms, () => {
      cancelWake = undefined;
      running = announce(false).finally(() => {
        running = undefined;
        if (waiting.size > 0) wake();
      });
    });
  }

  return {
    note(kept: KeptFor[]): void {
      if (is_closed) return;
      for (const each of kept) {
        const news = newsOf(each, now().getTime());
        if (news) put(news, { over: true });
      }
      if (waiting.size > 0) wake();
    },
    /** Announces all waiting news now, even if its subject is too early. */
    async flush(): Promise<void> {
      cancelWake?.();
      cancelWake = undefined;
      await running;
      await announce(true);
    },
    close(): void {
      is_closed = true;
      cancelWake?.();
    },
  };
}

const keyOf = ({ user_id, subject }: News) => `${user_id} ${subject}`;

/** Checks subscriptions first, in one query: hardly any user has one. */
async function pushesOf(
  { database, topicOf, now }: AnnouncerOptions,
  due: News[],
  told_decisions: LRUCache<string, true>,
): Promise<{ push: Push; key: string }[]> {
  const at = now();
  const subscriptions = Map.groupBy(
    await listSubscriptions(database, [...new Set(due.map(({ user_id }) => user_id))], at),
    ({ user_id }) => user_id,
  );
  const heard = due.filter(({ user_id, kind }) => {
    const [one] = subscriptions.get(user_id) ?? [];
    return one !== undefined && isWanted(one, kind, at.getTime());
  });
  if (heard.length === 0) return [];
  const fresh = await dropOld(database, heard, told_decisions, new Date(at.getTime() - DECISION_IS_NEWS_MS));
  return fresh.flatMap((news) =>
    (subscriptions.get(news.user_id) ?? []).map(({ id, user_id, endpoint, p256dh, auth, ...wishes }) => ({
      push: {
        subscription: { id, user_id, endpoint, p256dh, auth },
        news,
        payload: JSON.stringify(payloadFor(news.told, wishes)),
        use_until: at.getTime() + 1000 * secondsOfUse(wishes, at.getTime()),
        urgency: news.kind === 'messages' ? 'high' : 'normal',
        topic: topicOf(news.subject),
      },
      key: keyOf(news),
    })),
  );
}

/** Drops news that is out of date, and activity news without a decision or with an already announced one. */
async function dropOld(
  database: Database,
  all: News[],
  told_decisions: LRUCache<string, true>,
  since: Date,
): Promise<News[]> {
  const activity_ids = all.flatMap(({ activity }) => activity?.id ?? []);
  const [left, decisions] = await Promise.all([
    dropOldNews(database, all),
    findDecisions(database, activity_ids, since),
  ]);
  return left.filter(({ activity }) => {
    if (activity === null) return true;
    const decision = decisions.get(activity.id);
    if (decision?.status !== activity.status || told_decisions.has(decision.decision_id)) return false;
    told_decisions.set(decision.decision_id, true);
    return true;
  });
}
