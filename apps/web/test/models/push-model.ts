import {
  createPushSubscription,
  getPushKey,
  getPushSubscription,
  removePushSubscription,
} from '@sendlap/contract/push-subscriptions.ts';
import { toBase64Url } from '@sendlap/domain/bytes.ts';
import { readSessionId } from '#web/shared/api/token-owner.ts';
import { type FakeServer, Refusal } from './fake-server.ts';

interface Subscription {
  endpoint: string;
  language: 'en' | 'es';
  /** The session that created the subscription; null if its token names none. */
  session_id: string | null;
}

/** The browsers that get one athlete's pushes: an endpoint that subscribes again replaces its own subscription. */
export class PushModel {
  readonly #subscriptions = new Map<string, Subscription>();

  constructor(server: FakeServer) {
    server.on(getPushKey, () => ({ key: toBase64Url(new Uint8Array(65).fill(4)) }));
    server.on(createPushSubscription, ({ body, headers }) => {
      const { endpoint, language } = body;
      for (const [id, one] of this.#subscriptions) if (one.endpoint === endpoint) this.#subscriptions.delete(id);
      const id = crypto.randomUUID();
      const session_id = readSessionId(headers.get('authorization') ?? '');
      this.#subscriptions.set(id, { endpoint, language, session_id });
      return { id };
    });
    server.on(getPushSubscription, ({ params: { id } }) => {
      if (!this.#subscriptions.has(id)) throw new Refusal('push_subscription_not_found');
      return { id };
    });
    server.on(removePushSubscription, ({ params: { id } }) => {
      this.#subscriptions.delete(id);
      return {};
    });
  }

  list(): Subscription[] {
    return [...this.#subscriptions.values()];
  }

  /** The athlete's newer browsers push all current ones out of the limit. */
  replaceAll(): void {
    this.#subscriptions.clear();
  }
}
