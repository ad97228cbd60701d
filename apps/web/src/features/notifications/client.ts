import {
  createPushSubscription,
  getPushKey,
  getPushSubscription,
  removePushSubscription,
} from '@sendlap/contract/push-subscriptions.ts';
import { call, streamToken } from '#web/shared/api/client.ts';
import { ApiError } from '#web/shared/api/errors.ts';
import { sessionOf } from '#web/shared/api/token-owner.ts';
import { readMetadata, saveMetadata } from '#web/shared/copies/metadata.ts';
import {
  forgetPushSubscription,
  makePushSubscription,
  readPushSubscription,
  readPushSupport,
} from '#web/shared/device/push-subscription.ts';
import { createDevicePush, type Told } from './device-push.ts';

const TOLD = 'push_subscription';

export function devicePushOf(user_id: string) {
  const as = { only_as: user_id };
  return createDevicePush({
    support: readPushSupport,
    isAllowed: () => Notification.permission === 'granted',
    current: readPushSubscription,
    make: makePushSubscription,
    forget: forgetPushSubscription,
    getKey: async () => (await call(getPushKey, {}, as)).key,
    save: (body) => call(createPushSubscription, { body }, as),
    remove: (id) => call(removePushSubscription, { params: { id } }, as),
    isThere: (id) =>
      call(getPushSubscription, { params: { id } }, as).then(
        () => true,
        (error: unknown) => {
          if (error instanceof ApiError && error.backend_error === 'push_subscription_not_found') return false;
          throw error;
        },
      ),
    async session() {
      const token = await streamToken();
      return token === null ? null : sessionOf(token);
    },
    told: {
      load: async () => ((await readMetadata(TOLD, user_id)) as Told | null | undefined) ?? null,
      save: (told) => saveMetadata(TOLD, told, user_id),
    },
  });
}
