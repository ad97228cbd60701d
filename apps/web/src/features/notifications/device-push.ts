import type { DeviceSubscription, PushSupport } from '#web/shared/device/push-subscription.ts';

/** What the server knows of this browser's subscription, kept on the device for one user. */
export interface Told {
  id: string;
  endpoint: string;
  language: 'en' | 'es';
  /** Of the sign-in: with the end of a session the server drops its subscriptions. */
  session: string | null;
}

/** Whether this browser notifies; `unsupported` and what follows it say why it cannot. */
export type PushState = 'on' | 'off' | Exclude<PushSupport, 'ready'>;

interface DevicePushDeps {
  support: () => PushSupport;
  /** Whether the user has said yes before: then subscribing asks nobody. */
  isAllowed: () => boolean;
  /** Rejects where the browser does not tell, which is not the same as none. */
  current: () => Promise<DeviceSubscription | null>;
  make: (key: () => Promise<string>) => Promise<DeviceSubscription | null>;
  forget: () => Promise<void>;
  getKey: () => Promise<string>;
  save: (subscription: DeviceSubscription & { language: 'en' | 'es' }) => Promise<{ id: string }>;
  remove: (id: string) => Promise<unknown>;
  /** Whether the server still sends to the one of this id. Throws ApiError. */
  isThere: (id: string) => Promise<boolean>;
  /** The one that the server knows this browser by; null where it can't be told. Throws ApiError. */
  session: () => Promise<string | null>;
  /** `load` rejects in the same way. */
  told: { load(): Promise<Told | null>; save(told: Told | null): Promise<unknown> };
}

/** Notifications of one user on this browser. */
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
     * Asks the server whether it still sends here, and ends what is here where it does not: newer browsers may have taken
     * its place. True: it has just ended. Throws ApiError.
     */
    async endIfReplaced(): Promise<boolean> {
      const known = await loadTold();
      // After another sign-in `renew` tells the server anew.
      if (!known || known.session !== (await session()) || (await isThere(known.id))) return false;
      // It may have been told anew, or switched off, while it was asked.
      if ((await loadTold())?.id !== known.id) return false;
      await told.save(null);
      await forget();
      return true;
    },
    /** On a tap alone. Gives the state then: `denied`, or still `off`, when the answer was no. Throws ApiError. */
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
    /** Also without network: a push service tells the server then that there is nobody. */
    async turnOff(): Promise<void> {
      const known = await loadTold();
      // In this order: a page that starts meanwhile would take a subscription that is missing for one to renew.
      await told.save(null);
      await forget();
      if (known) await remove(known.id).catch(() => {});
    },
    /**
     * After a start, a change of the language or of the subscription by the browser: the server knows what there is, and
     * of nobody else's. Never asks, never rejects.
     */
    async renew(language: 'en' | 'es'): Promise<void> {
      try {
        const [subscription, known] = await Promise.all([current(), told.load()]);
        // Of somebody who was here before, or one that could not be told.
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
        // Without network, or what this device knows, the next start tries again.
      }
    },
  };
}
