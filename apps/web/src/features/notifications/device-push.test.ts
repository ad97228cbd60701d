import { describe, expect, test } from 'vitest';
import type { DeviceSubscription, PushSupport } from '#web/shared/device/push-subscription.ts';
import { createDevicePush, type PushRegistration } from './device-push.ts';

/** A browser, the user's answer to its prompt, the server's list of subscriptions, and the device's storage. */
function openDevice({ answer = 'granted' as 'granted' | 'denied', online = true } = {}) {
  const server = new Map<string, { endpoint: string; language: string }>();
  const device = {
    support: 'ready' as PushSupport,
    subscription: null as DeviceSubscription | null,
    told: null as PushRegistration | null,
    online,
    allowed: false,
    session: 'first' as string | null,
    forgetful: false,
    server,
    asked: 0,
  };
  let made = 0;
  const reach = () => {
    if (!device.online) throw new Error('no network');
  };
  const subscriptionOf = (endpoint: string) => ({ endpoint, keys: { p256dh: 'p', auth: 'a' } });
  const push = createDevicePush({
    getSupport: () => device.support,
    isAllowed: () => device.allowed,
    async getSubscription() {
      if (device.forgetful) throw new Error('not now');
      return device.subscription;
    },
    async subscribe(key) {
      device.asked += 1;
      if (answer === 'denied') {
        device.support = 'denied';
        return null;
      }
      await key();
      device.allowed = true;
      made += 1;
      device.subscription = subscriptionOf(`endpoint ${made}`);
      return device.subscription;
    },
    async unsubscribe() {
      device.subscription = null;
    },
    getKey: async () => 'key',
    async save({ endpoint, language }) {
      reach();
      for (const [id, one] of server) if (one.endpoint === endpoint) server.delete(id);
      const id = `id ${made} ${language}`;
      server.set(id, { endpoint, language });
      return { id };
    },
    async remove(id) {
      reach();
      server.delete(id);
    },
    async isRegistered(id) {
      reach();
      return server.has(id);
    },
    getSessionId: async () => {
      reach();
      return device.session;
    },
    registrations: {
      async load() {
        if (device.forgetful) throw new Error('no database');
        return device.told;
      },
      async save(told) {
        device.told = told;
      },
    },
  });
  return { device, push, server, subscriptionOf };
}

describe('switching on', () => {
  test('a refusal of the user leaves nothing, at the server and on the device', async () => {
    const { device, push, server } = openDevice({ answer: 'denied' });
    expect(await push.turnOn('en')).toBe('denied');
    expect(await push.read()).toBe('denied');
    expect([device.told, device.subscription, server.size]).toEqual([null, null, 0]);
  });

  test('is undone when the server cannot be reached', async () => {
    const { device, push } = openDevice({ online: false });
    await expect(push.turnOn('en')).rejects.toThrow('no network');
    expect(await push.read()).toBe('off');
    expect(device.subscription).toBeNull();
  });

  test('the server knows the browser then, until it is switched off', async () => {
    const { device, push, server } = openDevice();
    expect(await push.read()).toBe('off');
    expect(await push.turnOn('es')).toBe('on');
    expect(await push.read()).toBe('on');
    expect([...server.values()]).toEqual([{ endpoint: 'endpoint 1', language: 'es' }]);
    await push.turnOff();
    expect(await push.read()).toBe('off');
    expect([device.subscription, device.told, server.size]).toEqual([null, null, 0]);
  });
});

test('switching off works without network', async () => {
  const { device, push } = openDevice();
  await push.turnOn('en');
  device.online = false;
  await push.turnOff();
  expect(await push.read()).toBe('off');
  expect(device.subscription).toBeNull();
});

test('a subscription that the device cannot read counts as off, and can be switched off', async () => {
  const { device, push } = openDevice();
  await push.turnOn('en');
  device.forgetful = true;
  expect(await push.read()).toBe('off');
  await push.turnOff();
  expect(device.subscription).toBeNull();
});

test.each(['unsupported', 'uninstalled', 'denied'] as const)('a browser that cannot is %s', async (support) => {
  const { device, push } = openDevice();
  device.support = support;
  expect(await push.read()).toBe(support);
});

describe('a browser whose place a newer one took', () => {
  test('finds out, ends its own subscription, and can be switched on again', async () => {
    const { device, push, server } = openDevice();
    expect(await push.unsubscribeIfReplaced()).toBe(false);
    await push.turnOn('en');
    expect(await push.unsubscribeIfReplaced()).toBe(false);
    expect(await push.read()).toBe('on');
    server.clear();
    expect(await push.unsubscribeIfReplaced()).toBe(true);
    expect([await push.read(), device.subscription, device.told]).toEqual(['off', null, null]);
    expect(await push.unsubscribeIfReplaced()).toBe(false);
    expect(await push.turnOn('en')).toBe('on');
  });

  test('keeps its subscription as long as the server cannot be asked, and after another sign-in', async () => {
    const { device, push, server } = openDevice();
    await push.turnOn('en');
    server.clear();
    device.online = false;
    await expect(push.unsubscribeIfReplaced()).rejects.toThrow('no network');
    expect(await push.read()).toBe('on');
    [device.online, device.session] = [true, 'second'];
    expect(await push.unsubscribeIfReplaced()).toBe(false);
    expect(await push.read()).toBe('on');
  });
});

describe('a start', () => {
  test('shows no prompt, and sends the server nothing that it knows', async () => {
    const { device, push, server } = openDevice();
    await push.renew('en');
    expect(device.asked).toBe(0);
    await push.turnOn('en');
    device.online = false;
    await push.renew('en');
    expect(server.size).toBe(1);
    expect(device.asked).toBe(1);
  });

  test('sends the server a subscription that the browser has replaced, and another language', async () => {
    const { device, push, server, subscriptionOf } = openDevice();
    await push.turnOn('en');
    device.subscription = subscriptionOf('replaced');
    await push.renew('en');
    expect([...server.values()].at(-1)).toEqual({ endpoint: 'replaced', language: 'en' });
    await push.renew('es');
    expect([...server.values()].at(-1)).toEqual({ endpoint: 'replaced', language: 'es' });
  });

  test('sends the server the subscription again after another sign-in, since the previous session ended it', async () => {
    const { device, push, server } = openDevice();
    await push.turnOn('en');
    server.clear();
    await push.renew('en');
    expect(server.size).toBe(0);
    device.session = 'second';
    await push.renew('en');
    expect([...server.values()]).toEqual([{ endpoint: 'endpoint 1', language: 'en' }]);
  });

  test('drops no subscription as long as the device cannot read its own', async () => {
    const { device, push, server } = openDevice();
    await push.turnOn('en');
    device.forgetful = true;
    await push.renew('en');
    device.forgetful = false;
    expect(await push.read()).toBe('on');
    expect([device.subscription?.endpoint, server.size]).toEqual(['endpoint 1', 1]);
  });

  test('drops the subscription that another user left in this browser', async () => {
    const { device, push, subscriptionOf } = openDevice();
    device.subscription = subscriptionOf('of another user');
    await push.renew('en');
    expect(device.subscription).toBeNull();
  });

  test('subscribes again where the browser has dropped the subscription, as long as that needs no prompt', async () => {
    const { device, push, server } = openDevice();
    await push.turnOn('en');
    device.subscription = null;
    device.online = false;
    await push.renew('en');
    device.online = true;
    device.subscription = null;
    await push.renew('en');
    expect(await push.read()).toBe('on');
    expect([...server.values()].at(-1)).toEqual({ endpoint: 'endpoint 3', language: 'en' });
  });

  test('removes from the server a subscription that the browser has dropped with the right to notify', async () => {
    const { device, push, server } = openDevice();
    await push.turnOn('en');
    [device.subscription, device.allowed] = [null, false];
    await push.renew('en');
    expect([server.size, device.asked]).toEqual([0, 1]);
    expect(await push.read()).toBe('off');
  });
});
