import { afterEach, expect, test, vi } from 'vitest';
import { closeNotifications, subscribeToPush, unsubscribeFromPush } from './push-subscription.ts';

afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

test('switching on fails where no service worker comes, instead of never ending', async () => {
  vi.useFakeTimers();
  vi.stubGlobal('Notification', { requestPermission: async () => 'granted' });
  vi.stubGlobal('navigator', { serviceWorker: { ready: new Promise(() => {}) } });
  const made = expect(subscribeToPush(async () => 'AAAA')).rejects.toThrow('no service worker');
  await vi.advanceTimersByTimeAsync(10_000);
  await made;
});

test('notifications of seen messages are closed, and no others', async () => {
  const close = vi.fn<(tag: string) => void>();
  const registration = {
    getNotifications: async ({ tag }: { tag: string }) =>
      ['chat', 'other'].filter((one) => one === tag).map((one) => ({ close: () => close(one) })),
  };
  vi.stubGlobal('navigator', { serviceWorker: { getRegistration: async () => registration } });
  await closeNotifications('chat');
  expect(close.mock.calls).toEqual([['chat']]);
  vi.stubGlobal('navigator', { serviceWorker: { getRegistration: async () => Promise.reject(new Error('lost')) } });
  await closeNotifications('chat');
  vi.stubGlobal('navigator', {});
  await closeNotifications('chat');
});

test.each([true, false])(
  'at a sign-out no notification stays that names a user (subscribed: %j)',
  async (is_subscribed) => {
    const close = vi.fn();
    const subscription = { unsubscribe: vi.fn(async () => Promise.reject(new Error('no push service'))) };
    const registration = {
      getNotifications: async () => [{ close }, { close }],
      pushManager: { getSubscription: async () => (is_subscribed ? subscription : null) },
    };
    vi.stubGlobal('navigator', { serviceWorker: { getRegistration: async () => registration } });
    await unsubscribeFromPush();
    expect(close).toHaveBeenCalledTimes(2);
    expect(subscription.unsubscribe).toHaveBeenCalledTimes(is_subscribed ? 1 : 0);
  },
);
