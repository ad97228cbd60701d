import type { DeviceSubscription, PushSupport } from '#web/shared/device/push-subscription.ts';

/** The subscription as the server knows it, stored on the device per user. */
export interface Told {
  id: string;
  endpoint: string;
  language: 'en' | 'es';
  /** The sign-in session: when it ends, the server deletes its subscriptions. */
  session: string | null;
}

/** Whether this browser notifies; the values of PushSupport say why it cannot. */
export type PushState = 'on' | 'off' | Exclude<PushSupport, 'ready'>;

interface DevicePushDeps {
  support: () => PushSupport;
  /** Whether the user has granted the permission: then subscribing shows no prompt. */
  isAllowed: () => boolean;
  /** Rejects if the browser does not answer, which is not the same as having no subscription. */
  current: () => Promise<DeviceSubscription | null>;
  make: (key: () => Promise<string>) => Promise<DeviceSubscription | null>;
  forget: () => Promise<void>;
  getKey: () => Promise<string>;
  save: (subscription: DeviceSubscription & { language: 'en' | 'es' }) => Promise<{ id: string }>;
  remove: (id: string) => Promise<unknown>;
  /** Whether the server still has the subscription with this id. Throws ApiError. */
  isThere: (id: string) => Promise<boolean>;
  /** This browser's session id on the server; null if unknown. Throws ApiError. */
  session: () => Promise<string | null>;
  /** `load` rejects if the device's storage cannot be read, which is not the same as null. */
  told: { load(): Promise<Told | null>; save(told: Told | null): Promise<unknown> };
}

export function createDevicePush(deps: DevicePushDeps) {
  const { support, isAllowed, current, make, forget, getKey, save, remove, isThere, session, told } = deps;
  async function tellServer(subscription: DeviceSubscription, language: 'en' | 'es'): Promise<void> {
    const by = await session();
    const { id } = await save({ ...subscription, language });
    await told.save({ id, endpoint: subscription.endpoint, language, session: by });
  }
  const findCurrent = () => current().catch(() => null);
  const loadTold = () => told.load().catch(() => null);
  async function read(): Promise<PushState> {
    const able = support();
    if (able !== 'ready') return able;
    const [subscription, known] = await Promise.all([findCurrent(), loadTold()]);
    return subscription !== null && known !== null ? 'on' : 'off';
  }
  return {
    read,
    /**
     * Asks the server whether it still sends to this browser, and unsubscribes if not: newer browsers may have replaced
     * it. Returns true if it unsubscribed. Throws ApiError.
     */
    async endIfReplaced(): Promise<boolean> {
      const known = await loadTold();
      // After another sign-in, `renew` registers the subscription again.
      if (!known || known.session !== (await session()) || (await isThere(known.id))) return false;
      // It may have been registered again, or switched off, while the request ran.
      if ((await loadTold())?.id !== known.id) return false;
      await told.save(null);
      await forget();
      return true;
    },
    /** Call only on a tap. Returns the new state: `denied`, or still `off`, if the user refused. Throws ApiError. */
    async turnOn(language: 'en' | 'es'): Promise<PushState> {
      const subscription = await make(getKey);
      if (!subscription) return read();
      try {
        await tellServer(subscription, language);
      } catch (error) {
        await forget();
        throw error;
      }
      return 'on';
    },
    /** Also works offline: when the server next sends, the push service answers that the subscription is gone. */
    async turnOff(): Promise<void> {
      const known = await loadTold();
      // In this order: a page that starts in between would renew a missing subscription.
      await told.save(null);
      await forget();
      if (known) await remove(known.id).catch(() => {});
    },
    /**
     * After a start, a change of language, or a subscription replaced by the browser: makes the server's record match
     * this browser's subscription, and drops one of another user. Shows no prompt, never rejects.
     */
    async renew(language: 'en' | 'es'): Promise<void> {
      try {
        const [subscription, known] = await Promise.all([current(), told.load()]);
        // It belongs to a previous user, or registering it with the server failed.
        if (subscription && !known) return await forget();
        if (!known) return;
        if (!subscription) {
          const made = isAllowed() ? await make(getKey) : null;
          if (made) return await tellServer(made, language);
          await told.save(null);
          await remove(known.id);
        } else if (
          subscription.endpoint !== known.endpoint ||
          language !== known.language ||
          (await session()) !== known.session
        ) {
          await tellServer(subscription, language);
        }
      } catch {
        // Offline, or the device's storage can't be read: the next start tries again.
      }
    },
  };
}
