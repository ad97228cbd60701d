import { LRUCache } from 'lru-cache';
import type { Database } from '#api/database/database.ts';
import type { UserEvent } from '#api/events/event-store.ts';
import { systemTimer, type Timer } from '#api/platform/timer.ts';
import { isWanted, type News, newsOf, toPayload, ttlSeconds } from './news.ts';
import { dropOutdatedNews } from './outdated-news.ts';
import type { Push } from './push-client.ts';
import { findDecisions, listSubscriptions } from './store.ts';

/** News is batched over this time, so that a thousand messages cost as many queries as one. */
const BATCH_MS = 200;
/** Minimum time between two pushes of a subject; the later one carries the newest news. */
const MIN_PUSH_INTERVAL_MS = 2_000;
/**
 * Debounce per kind: a message may be read on another device, and a request may be withdrawn. Later news of the subject
 * restarts the wait, up to twice this time in total.
 */
const DEBOUNCE_MS = { messages: 2_000, friends: 2_000, proofs: 0 };
/** Retry interval while the database does not answer. */
const RETRY_MS = 5_000;
/** Limit of queued news; more is dropped, because the app itself shows everything. */
const MAX_QUEUED = 20_000;
const MAX_BATCH = 5_000;
/** How long a decision counts as news; later events of the activity have other reasons. */
const DECISION_MAX_AGE_MS = 120_000;
const MAX_REMEMBERED = 10_000;

interface AnnouncerOptions {
  database: Database;
  enqueue: (push: Push) => void;
  /** Returns an opaque name of the subject. */
  topicOf: (subject: string) => string;
  now: () => Date;
  timer?: Timer;
  log: { warn(fields: object, text: string): void };
}

interface QueuedNews {
  news: News;
  /** Both in the timer's ms. */
  since: number;
  due_at: number;
}

/** Turns stored events into pushes to the users who want them. */
export function createAnnouncer(options: AnnouncerOptions) {
  const { log, now, timer = systemTimer } = options;
  const queue = new Map<string, QueuedNews>();
  /** Time of the last push of a subject, by the timer. */
  const last_pushed_at = new Map<string, number>();
  const announced_decisions = new LRUCache<string, true>({ max: MAX_REMEMBERED });
  let cancelTimer: (() => void) | undefined;
  let running: Promise<void> | undefined;
  let failed_at = Number.NEGATIVE_INFINITY;
  let is_closed = false;

  /** Queues news; later news of a subject replaces the queued one. */
  function enqueueNews(news: News, { over }: { over: boolean }): void {
    const key = keyOf(news);
    const before = queue.get(key);
    if (before ? !over : queue.size >= MAX_QUEUED) return;
    const [at, debounce_ms] = [timer.now(), DEBOUNCE_MS[news.kind]];
    const since = before?.since ?? at;
    queue.set(key, { news, since, due_at: Math.min(at + debounce_ms, since + 2 * debounce_ms) });
  }

  const isIntervalOver = (key: string) =>
    timer.now() - (last_pushed_at.get(key) ?? Number.NEGATIVE_INFINITY) >= MIN_PUSH_INTERVAL_MS;

  function takeDue(is_forced: boolean): News[] {
    for (const key of [...last_pushed_at.keys()]) if (isIntervalOver(key)) last_pushed_at.delete(key);
    const due: News[] = [];
    for (const [key, { news, due_at }] of queue) {
      if (due.length >= MAX_BATCH) break;
      if (!is_forced && (timer.now() < due_at || !isIntervalOver(key))) continue;
      queue.delete(key);
      due.push(news);
    }
    return due;
  }

  async function announce(is_forced: boolean): Promise<void> {
    const due = takeDue(is_forced);
    if (due.length === 0) return;
    try {
      const pushes = await pushesOf(options, due, announced_decisions);
      for (const { push, key } of pushes) {
        last_pushed_at.set(key, timer.now());
        options.enqueue(push);
      }
    } catch (error) {
      log.warn({ err: error }, 'some news is told later');
      failed_at = timer.now();
      for (const news of due) enqueueNews(news, { over: false });
    }
  }

  function scheduleRun(): void {
    if (cancelTimer || running || is_closed) return;
    const wait_ms = Math.max(BATCH_MS, failed_at + RETRY_MS - timer.now());
    cancelTimer = timer.after(wait_ms, () => {
      cancelTimer = undefined;
      running = announce(false).finally(() => {
        running = undefined;
        if (queue.size > 0) scheduleRun();
      });
    });
  }

  return {
    enqueueEvents(kept: UserEvent[]): void {
      if (is_closed) return;
      for (const each of kept) {
        const news = newsOf(each, now().getTime());
        if (news) enqueueNews(news, { over: true });
      }
      if (queue.size > 0) scheduleRun();
    },
    /** Announces all queued news now, even if its subject is too early. */
    async flush(): Promise<void> {
      cancelTimer?.();
      cancelTimer = undefined;
      await running;
      await announce(true);
    },
    close(): void {
      is_closed = true;
      cancelTimer?.();
    },
  };
}

const keyOf = ({ user_id, subject }: News) => `${user_id} ${subject}`;

/** Checks subscriptions first, in one query: hardly any user has one. */
async function pushesOf(
  { database, topicOf, now }: AnnouncerOptions,
  due: News[],
  announced_decisions: LRUCache<string, true>,
): Promise<{ push: Push; key: string }[]> {
  const at = now();
  const subscriptions = Map.groupBy(
    await listSubscriptions(database, [...new Set(due.map(({ user_id }) => user_id))], at),
    ({ user_id }) => user_id,
  );
  const wanted = due.filter(({ user_id, kind }) => {
    const [one] = subscriptions.get(user_id) ?? [];
    return one !== undefined && isWanted(one, kind, at.getTime());
  });
  if (wanted.length === 0) return [];
  const fresh = await dropOutdated(database, wanted, announced_decisions, new Date(at.getTime() - DECISION_MAX_AGE_MS));
  return fresh.flatMap((news) =>
    (subscriptions.get(news.user_id) ?? []).map(({ id, user_id, endpoint, p256dh, auth, ...preferences }) => ({
      push: {
        subscription: { id, user_id, endpoint, p256dh, auth },
        news,
        payload: JSON.stringify(toPayload(news.content, preferences)),
        expires_at_ms: at.getTime() + 1000 * ttlSeconds(preferences, at.getTime()),
        urgency: news.kind === 'messages' ? 'high' : 'normal',
        topic: topicOf(news.subject),
      },
      key: keyOf(news),
    })),
  );
}

/** Drops news that is out of date, and activity news without a decision or with an already announced one. */
async function dropOutdated(
  database: Database,
  all: News[],
  announced_decisions: LRUCache<string, true>,
  since: Date,
): Promise<News[]> {
  const activities = all.flatMap(({ user_id, activity }) => (activity ? { user_id, id: activity.id } : []));
  const [remaining, decisions] = await Promise.all([
    dropOutdatedNews(database, all),
    findDecisions(database, activities, since),
  ]);
  return remaining.filter(({ user_id, activity }) => {
    if (activity === null) return true;
    const decision = decisions.get(`${user_id} ${activity.id}`);
    if (decision?.status !== activity.status || announced_decisions.has(decision.decision_id)) return false;
    announced_decisions.set(decision.decision_id, true);
    return true;
  });
}
