import {
  createPushSubscription,
  getPushKey,
  getPushSubscription,
  removePushSubscription,
} from '@sendlap/contract/push-subscriptions.ts';
import type { Route } from '#api/http/route.ts';
import type { NotificationService } from './service.ts';

export function mountNotifications(route: Route, notifications: NotificationService): void {
  route(getPushKey, async () => ({ key: notifications.public_key }));
  route(createPushSubscription, ({ body }, session) => notifications.subscribe(session, body));
  route(getPushSubscription, ({ params }, { user_id }) => notifications.find(user_id, params.id));
  route(removePushSubscription, async ({ params }, { user_id }) => {
    await notifications.unsubscribe(user_id, params.id);
    return {};
  });
}
