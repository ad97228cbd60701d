import { createHmac, ECDH, randomUUID } from 'node:crypto';
import type { createPushSubscription } from '@sendlap/contract/push-subscriptions.ts';
import type { ParsedRequest } from '@sendlap/contract/wire/endpoint.ts';
import { fromBase64Url } from '@sendlap/domain/bytes.ts';
import type { FastifyBaseLogger } from 'fastify';
import type { Database } from '#api/database/database.ts';
import type { Secrets } from '#api/database/secrets.ts';
import type { Events } from '#api/events/events.ts';
import { AppError } from '#api/platform/errors.ts';
import { systemTimer, type Timer } from '#api/platform/timer.ts';
import { lockSession } from '#api/sessions/lock-session.ts';
import type { Session } from '#api/sessions/sessions.ts';
import { createAnnouncer } from './announcer.ts';
import { isStillRelevant } from './outdated-news.ts';
import { createPushAddresses } from './push-address.ts';
import { createPushClient } from './push-client.ts';
import { createPushQueue } from './push-queue.ts';
import { deleteSubscription, hasSubscription, saveSubscription } from './store.ts';
import { loadVapid } from './vapid.ts';

const POINT_BYTES = 65;
const AUTH_BYTES = 16;
/** A closing server waits this long for pushes in flight. */
const DRAIN_MS = 2_000;
const TOPIC_LENGTH = 32;

type BrowserSubscription = ParsedRequest<typeof createPushSubscription>['body'];

export type NotificationService = Awaited<ReturnType<typeof createNotificationService>>;

interface NotificationOptions {
  database: Database;
  secrets: Secrets;
  events: Pick<Events, 'onEventsStored'>;
  public_url: string;
  mail_from: string | undefined;
  /** Also sends to this machine: for tests. */
  allow_local: boolean;
  /** Name servers that find push services; default: the machine's own. */
  name_servers?: string[] | undefined;
  now: () => Date;
  timer?: Timer | undefined;
  log: FastifyBaseLogger;
}

/** Notifies users by Web Push while the app is closed. */
export async function createNotificationService(options: NotificationOptions) {
  const { database, secrets, events, allow_local, now, timer = systemTimer, log } = options;
  const vapid = await loadVapid(options);
  const addresses = createPushAddresses({ allow_local, name_servers: options.name_servers });
  const client = createPushClient(vapid, addresses, now);
  const queue = createPushQueue({
    send: client.send,
    isStillRelevant: (push) => isStillRelevant(database, push, now()),
    onSubscriptionEnded: ({ id, user_id }) => deleteSubscription(database, id, user_id),
    log,
    timer,
  });
  const topic_key = secrets.derive('topics of pushes');
  const topicOf = (subject: string) =>
    createHmac('sha256', topic_key).update(subject).digest('base64url').slice(0, TOPIC_LENGTH);
  const announcer = createAnnouncer({ database, enqueue: queue.add, topicOf, now, timer, log });
  events.onEventsStored((kept) => announcer.enqueueEvents(kept));
  return {
    /** The key browsers subscribe with: base64url of an uncompressed P-256 point. */
    public_key: vapid.public_key,
    /**
     * Subscribes this browser until its session ends. A subscription with the same endpoint is replaced, also of
     * another user who was signed in there; the oldest beyond 10 is deleted. Throws `push_endpoint_refused` for a
     * non-public address, `validation_failed` for invalid keys, `unauthenticated` if the session has just ended.
     */
    async subscribe(caller: Session, { endpoint, keys, language }: BrowserSubscription): Promise<{ id: string }> {
      assertValidKeys(keys);
      const url = addresses.parseEndpoint(endpoint);
      if (!url || !(await addresses.resolvesToPublic(url))) {
        throw new AppError('push_endpoint_refused', 'Notifications are sent to public https addresses only');
      }
      const { user_id, session_id } = caller;
      const subscription = { id: randomUUID(), user_id, session_id, endpoint: url.href, ...keys, language };
      await database.transaction().execute(async (trx) => {
        if (!(await lockSession(trx, caller))) throw new AppError('unauthenticated', 'This session has ended');
        await saveSubscription(trx, subscription);
      });
      return { id: subscription.id };
    },
    /** Throws `push_subscription_not_found` if the subscription is not the user's or has ended. */
    async find(user_id: string, id: string): Promise<{ id: string }> {
      if (await hasSubscription(database, id, user_id)) return { id };
      throw new AppError('push_subscription_not_found', 'This browser gets no notifications');
    },
    /** Deletes only the user's own subscription; idempotent. */
    unsubscribe: (user_id: string, id: string) => deleteSubscription(database, id, user_id),
    /** Sends waiting news, for at most 2 s. */
    async close(): Promise<void> {
      const drained = announcer.flush().then(queue.drain);
      announcer.close();
      await Promise.race([drained, new Promise<void>((resolve) => timer.after(DRAIN_MS, resolve))]);
      queue.close();
      client.close();
    },
  };
}

function assertValidKeys({ p256dh, auth }: BrowserSubscription['keys']): void {
  if (!isP256Point(p256dh)) throwInvalidKey('p256dh', 'must be an uncompressed point of P-256');
  if (fromBase64Url(auth)?.length !== AUTH_BYTES) throwInvalidKey('auth', `must be ${AUTH_BYTES} bytes`);
}

function throwInvalidKey(key: string, message: string): never {
  const path = `body/keys/${key}`;
  throw new AppError('validation_failed', `${path}: ${message}`, { details: [{ path, message }] });
}

function isP256Point(text: string): boolean {
  const bytes = fromBase64Url(text);
  if (bytes?.length !== POINT_BYTES || bytes[0] !== 4) return false;
  try {
    ECDH.convertKey(bytes, 'prime256v1');
    return true;
  } catch {
    return false;
  }
}
