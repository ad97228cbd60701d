import { createECDH } from 'node:crypto';
import { type ClientRequest, Agent as HttpAgent, request as requestHttp } from 'node:http';
import { Agent as HttpsAgent, request as requestHttps } from 'node:https';
import ece from 'http_ece';
import type { News } from './news.ts';
import type { PushAddresses } from './push-address.ts';
import type { Subscription } from './store.ts';
import type { Vapid } from './vapid.ts';

const TIMEOUT_MS = 8_000;
const MAX_REPLY_BYTES = 16 * 1024;
/** Idle connections are closed after 30 s. */
const SOCKETS = { keepAlive: true, maxFreeSockets: 4, timeout: 30_000 };
/** Payloads are padded to few lengths, because the length of a push reveals something about its text. */
const PADDED_BYTES = 512;

export interface Push {
  subscription: Subscription;
  /** Content of the push; checked again before a push that had to wait is sent. */
  news: News;
  /** JSON. */
  payload: string;
  /** Until then (ms epoch) the push service keeps it for a browser that is offline. */
  expires_at_ms: number;
  urgency: 'normal' | 'high';
  /** base64url, at most 32 characters: a later push of the same topic replaces it at the push service. */
  topic: string;
}

/** `gone`: the subscription has ended. `later`: retry, after as many ms as the service asks for, if it does. */
export type PushOutcome =
  | { outcome: 'sent' | 'gone' }
  | { outcome: 'refused'; reason: string }
  | { outcome: 'later'; after_ms: number };

export function createPushClient(vapid: Vapid, addresses: PushAddresses, now: () => Date) {
  const { lookup } = addresses;
  const secure = new HttpsAgent({ ...SOCKETS, lookup });
  const plain = new HttpAgent({ ...SOCKETS, lookup });
  return {
    /** Sends a push to its push service, encrypted for the browser alone (RFC 8030, RFC 8291). Never rejects. */
    async send(
      { subscription, payload, expires_at_ms, urgency, topic }: Push,
      signal: AbortSignal,
    ): Promise<PushOutcome> {
      // Also checked for a stored endpoint: a setting may have changed since it was stored.
      const url = addresses.parseEndpoint(subscription.endpoint);
      if (!url) return { outcome: 'refused', reason: 'address' };
      try {
        const body = encrypt(payload, subscription);
        const headers = {
          authorization: await vapid.authorizationFor(url.origin),
          'content-encoding': 'aes128gcm',
          'content-type': 'application/octet-stream',
          'content-length': body.length,
          ttl: Math.max(0, Math.floor((expires_at_ms - now().getTime()) / 1000)),
          urgency,
          topic,
        };
        const options = { method: 'POST', headers, signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]) };
        const request =
          url.protocol === 'https:'
            ? requestHttps(url, { ...options, agent: secure })
            : requestHttp(url, { ...options, agent: plain });
        return await readReply(request, body);
      } catch {
        return { outcome: 'later', after_ms: 0 };
      }
    },
    close(): void {
      secure.destroy();
      plain.destroy();
    },
  };
}

/** Redirects are not followed: they could lead to an address that is not public. */
function readReply(request: ClientRequest, body: Buffer): Promise<PushOutcome> {
  return new Promise((resolve, reject) => {
    request.on('error', reject);
    // A switch of protocols (101) ends the request without a response and without an error.
    request.on('close', () => reject(new Error('no response')));
    request.on('response', (response) => {
      let size = 0;
      response.on('data', (chunk: Buffer) => {
        size += chunk.length;
        if (size > MAX_REPLY_BYTES) response.destroy();
      });
      response.on('error', () => {});
      resolve(parseOutcome(response.statusCode ?? 0, response.headers['retry-after']));
    });
    request.end(body);
  });
}

function parseOutcome(status: number, retry_after: string | undefined): PushOutcome {
  if (status >= 200 && status < 300) return { outcome: 'sent' };
  if (status === 404 || status === 410) return { outcome: 'gone' };
  if (status !== 429 && status < 500) return { outcome: 'refused', reason: String(status) };
  const after_s = Number(retry_after);
  return { outcome: 'later', after_ms: after_s >= 0 ? after_s * 1000 : 0 };
}

function encrypt(payload: string, { p256dh, auth }: Subscription): Buffer {
  const privateKey = createECDH('prime256v1');
  privateKey.generateKeys();
  return ece.encrypt(pad(payload), { version: 'aes128gcm', dh: p256dh, authSecret: auth, privateKey });
}

/** JSON allows trailing spaces. */
function pad(payload: string): Buffer {
  const size = Buffer.byteLength(payload);
  return Buffer.from(payload + ' '.repeat(Math.ceil(size / PADDED_BYTES) * PADDED_BYTES - size));
}
