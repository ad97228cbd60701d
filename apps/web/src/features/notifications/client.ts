import {
  createPushSubscription,
  getPushKey,
  getPushSubscription,
  removePushSubscription,
} from '@sendlap/contract/push-subscriptions.ts';
import { call, getStreamToken } from '#web/shared/api/client.ts';
import { ApiError } from '#web/shared/api/errors.ts';
import { readSessionId } from '#web/shared/api/token-owner.ts';
import { readMetadata, saveMetadata } from '#web/shared/copies/metadata.ts';
import {
  readPushSubscription,
  readPushSupport,
  subscribeToPush,
  unsubscribeFromPush,
} from '#web/shared/device/push-subscription.ts';
import { createDevicePush, type PushRegistration } from './device-push.ts';

const REGISTRATION_KEY = 'push_subscription';

export function devicePushOf(user_id: string) {
  const as = { expected_user_id: user_id };
  return createDevicePush({
    getSupport: readPushSupport,
    isAllowed: () => Notification.permission === 'granted',
    getSubscription: readPushSubscription,
    subscribe: subscribeToPush,
    unsubscribe: unsubscribeFromPush,
    getKey: async () => (await call(getPushKey, {}, as)).key,
    save: (body) => call(createPushSubscription, { body }, as),
    remove: (id) => call(removePushSubscription, { params: { id } }, as),
    isRegistered: (id) =>
      call(getPushSubscription, { params: { id } }, as).then(
        () => true,
        (error: unknown) => {
          if (error instanceof ApiError && error.backend_error === 'push_subscription_not_found') return false;
          throw error;
        },
      ),
    async getSessionId() {
      const token = await getStreamToken();
      return token === null ? null : readSessionId(token);
    },
    registrations: {
      load: async () =>
        ((await readMetadata(REGISTRATION_KEY, user_id)) as PushRegistration | null | undefined) ?? null,
      save: (registration) => saveMetadata(REGISTRATION_KEY, registration, user_id),
    },
  });
}
