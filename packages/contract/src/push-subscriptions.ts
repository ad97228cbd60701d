import * as z from 'zod/mini';
import { endpoint } from './wire/endpoint.ts';
import { Empty, Uuid } from './wire/schemas.ts';

/** Maximum subscriptions per user; a further one replaces the oldest. */
export const MAX_PUSH_SUBSCRIPTIONS = 10;

const Base64Url = z.string().check(z.regex(/^[A-Za-z0-9_-]{1,200}$/, 'must be base64url'));

export const getPushKey = endpoint({
  method: 'GET',
  path: '/v1/push-subscriptions/key',
  summary: 'The public key (base64url of an uncompressed P-256 point) with which a browser subscribes (VAPID)',
  access: 'user',
  data: z.object({ key: z.string() }),
});

export const createPushSubscription = endpoint({
  method: 'POST',
  path: '/v1/push-subscriptions',
  summary: 'Notify this browser while the app is closed; the same endpoint again takes its place',
  access: 'user',
  body: z.strictObject({
    endpoint: z.string().check(z.minLength(1), z.maxLength(2_000)),
    keys: z.strictObject({ p256dh: Base64Url, auth: Base64Url }),
    language: z.enum(['en', 'es']),
  }),
  data: z.object({ id: Uuid }),
  status: 201,
  limit: { max: 30, window_s: 3600 },
  errors: ['push_endpoint_refused'],
});

export const getPushSubscription = endpoint({
  method: 'GET',
  path: '/v1/push-subscriptions/:id',
  summary: 'Whether a browser of mine is still notified; a newer one may have taken its place',
  access: 'user',
  params: z.strictObject({ id: Uuid }),
  data: z.object({ id: Uuid }),
  errors: ['push_subscription_not_found'],
});

export const removePushSubscription = endpoint({
  method: 'DELETE',
  path: '/v1/push-subscriptions/:id',
  summary: 'Notify this browser no longer; a repeat changes nothing',
  access: 'user',
  params: z.strictObject({ id: Uuid }),
  data: Empty,
});

/**
 * `language` comes from the subscription, because the service worker that shows the push knows no user. `at`: ms epoch.
 */
const pushFields = { language: z.enum(['en', 'es']), at: z.number() };

/** A decrypted push; `name` is the sender's. `text` and `center` are null unless the user chose `show_text`. */
export const PushPayload = z.discriminatedUnion('kind', [
  z.object({
    ...pushFields,
    kind: z.literal('message'),
    chat_id: Uuid,
    name: z.string(),
    text: z.nullable(z.string()),
  }),
  z.object({ ...pushFields, kind: z.literal('friend_request'), name: z.string() }),
  z.object({ ...pushFields, kind: z.literal('friend_accepted'), name: z.string() }),
  z.object({
    ...pushFields,
    kind: z.literal('activity_validated'),
    activity_id: Uuid,
    center: z.nullable(z.string()),
    points: z.number(),
  }),
  z.object({ ...pushFields, kind: z.literal('activity_rejected'), activity_id: Uuid, center: z.nullable(z.string()) }),
]);
export type PushPayload = z.infer<typeof PushPayload>;
