import { deleteDeviceKeys } from '#web/shared/data/device-key.ts';
import { unsubscribeFromPush } from '#web/shared/device/push-subscription.ts';
import { clearChatRequests } from '#web/shared/live/chat-requests.ts';
import { sealOutbox } from '#web/shared/outbox/sealed/client.ts';

/**
 * Drops what this tab holds of a user, besides what its features drop themselves. Returns a function that drops what all
 * tabs share, see `SignOutListener`; it tries all parts, and rejects if one failed.
 */
export function dropUser(): () => Promise<void> {
  clearChatRequests();
  return async () => {
    const parts = await Promise.allSettled([deleteDeviceKeys(), sealOutbox(), unsubscribeFromPush()]);
    for (const part of parts) if (part.status === 'rejected') throw part.reason;
  };
}
