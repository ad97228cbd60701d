import type { DeviceSubscription, PushSupport } from '#web/shared/device/push-subscription.ts';

/** The subscription as the server knows it, stored on the device per user. */
export interface PushRegistration {
  id: string;
  endpoint: string;
  language: 'en' | 'es';
  /** The sign-in session: when it ends, the server deletes its subscriptions. */
  session: string | null;
}

/** Whether this browser notifies; the values of PushSupport say why it cannot. */
export type PushState = 'on' | 'off' | Exclude<PushSupport, 'ready'>;

interface DevicePushDeps {
  getSupport: () => PushSupport;
  /** Whether the user has granted the permission: then subscribing shows no prompt. */
  isAllowed: () => boolean;
  /** Rejects if the browser does not answer, which is not the same as having no subscription. */
  getSubscription: () => Promise<DeviceSubscription | null>;
  subscribe: (key: () => Promise<string>) => Promise<DeviceSubscription | null>;
  unsubscribe: () => Promise<void>;
  getKey: () => Promise<string>;
  save: (subscription: DeviceSubscription & { language: 'en' | 'es' }) => Promise<{ id: string }>;
  remove: (id: string) => Promise<unknown>;
  /** Whether the server still has the subscription with this id. Throws ApiError. */
  isRegistered: (id: string) => Promise<boolean>;
  /** This browser's session id on the server; null if unknown. Throws ApiError. */
  getSessionId: () => Promise<string | null>;
  /** `load` rejects if the device's storage cannot be read, which is not the same as null. */
  registrations: { load(): Promise<PushRegistration | null>; save(told: PushRegistration | null): Promise<unknown> };
}

export function createDevicePush(deps: DevicePushDeps) {
  const { getSubscription, subscribe, unsubscribe, isRegistered, getSessionId, registrations } = deps;
  async function registerWithServer(subscription: DeviceSubscription, language: 'en' | 'es'): Promise<void> {
    const session_id = await getSessionId();
    const { id } = await deps.save({ ...subscription, language });
    await registrations.save({ id, endpoint: subscription.endpoint, language, session: session_id });
  }
  const findSubscription = () => getSubscription().catch(() => null);
  const loadRegistration = () => registrations.load().catch(() => null);
  async function read(): Promise<PushState> {
    const device_support = deps.getSupport();
    if (device_support !== 'ready') return device_support;
    const [subscription, registration] = await Promise.all([findSubscription(), loadRegistration()]);
    return subscription !== null && registration !== null ? 'on' : 'off';
  }
  return {
    read,
    /**
     * Asks the server whether it still sends to this browser, and unsubscribes if not: newer browsers may have replaced
     * it. Returns true if it unsubscribed. Throws ApiError.
     */
    async unsubscribeIfReplaced(): Promise<boolean> {
      const registration = await loadRegistration();
      // After another sign-in, `renew` registers the subscription again.
      if (!registration || registration.session !== (await getSessionId()) || (await isRegistered(registration.id)))
        return false;
      // It may have been registered again, or switched off, while the request ran.
      if ((await loadRegistration())?.id !== registration.id) return false;
      await registrations.save(null);
      await unsubscribe();
      return true;
    },
    /** Call only on a tap. Returns the new state: `denied`, or still `off`, if the user refused. Throws ApiError. */
    async turnOn(language: 'en' | 'es'): Promise<PushState> {
      const subscription = await subscribe(deps.getKey);
      if (!subscription) return read();
      try {
        await registerWithServer(subscription, language);
      } catch (error) {
        await unsubscribe();
        throw error;
      }
      return 'on';
    },
    /** Also works offline: when the server next sends, the push service answers that the subscription is gone. */
    async turnOff(): Promise<void> {
      const registration = await loadRegistration();
      // In this order: a page that starts in between would renew a missing subscription.
      await registrations.save(null);
      await unsubscribe();
      if (registration) await deps.remove(registration.id).catch(() => {});
    },
    /**
     * After a start, a change of language, or a subscription replaced by the browser: makes the server's record match
     * this browser's subscription, and drops one of another user. Shows no prompt, never rejects.
     */
    async renew(language: 'en' | 'es'): Promise<void> {
      try {
        const [subscription, registration] = await Promise.all([getSubscription(), registrations.load()]);
        // It belongs to a previous user, or registering it with the server failed.
        if (subscription && !registration) return await unsubscribe();
        if (!registration) return;
        if (!subscription) {
          const created = deps.isAllowed() ? await subscribe(deps.getKey) : null;
          if (created) return await registerWithServer(created, language);
          await registrations.save(null);
          await deps.remove(registration.id);
        } else if (
          subscription.endpoint !== registration.endpoint ||
          language !== registration.language ||
          (await getSessionId()) !== registration.session
        ) {
          await registerWithServer(subscription, language);
        }
      } catch {
        // Offline, or the device's storage can't be read: the next start tries again.
      }
    },
  };
}
