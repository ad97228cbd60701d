import { type ClientRequest, Agent as HttpAgent, request as requestHttp } from 'node:http';
import { Agent as HttpsAgent, request as requestHttps } from 'node:https';
import webPush from 'web-push';
import type { News } from './news.ts';
import type { PushAddresses } from './push-address.ts';
import type { Subscription } from './store.ts';
import type { Vapid } from './vapid.ts';

const TIMEOUT_MS = 8_000;
const MAX_REPLY_BYTES = 16 * 1024;
/** Connections to one push service, and to all; those that nobody needs are closed after a while. */
const SOCKETS = { keepAlive: true, maxSockets: 32, maxFreeSockets: 4, maxTotalSockets: 1_024, timeout: 30_000 };
/** Of requests that no second try makes good: their content, their sender or their size is refused. */
const REFUSED_FOR_GOOD = [400, 403, 413];
/** A token is good for 12 hours; one that is about to end would be refused by a clock that is ahead. */
const TOKEN_MS = 6 * 3_600_000;
const MAX_TOKENS = 1_000;
/** Lengths tell something about a text, so they come in few sizes. */
const PADDED_BYTES = 512;

export interface Push {
  subscription: Subscription;
  /** Of the push service. */
  origin: string;
  /** What it tells; one that had to wait may tell nothing new. */
  news: News;
  /** JSON. */
  payload: string;
  /** Until then (ms epoch) the push service keeps it for a browser that is not there. */
  use_until: number;
  urgency: 'normal' | 'high';
  /** base64url, at most 32 characters: a later one of the same topic takes its place at the push service. */
  topic: string;
}

/**
 * `gone`: the subscription is no more. `hung`: no answer in time. `later`: again, after as many ms as the service says
 * (null: it does not).
 */
export type PushOutcome =
  | { outcome: 'sent' | 'gone' | 'hung' }
  | { outcome: 'refused'; reason: string; for_good: boolean }
  | { outcome: 'later'; after_ms: number | null };

export interface PushClient {
  /** Gives a push to its push service, encrypted for the browser alone (RFC 8030, RFC 8291). Never rejects. */
  send(push: Push, signal: AbortSignal): Promise<PushOutcome>;
  close(): void;
}

export function createPushClient(vapid: Vapid, addresses: PushAddresses, now: () => Date): PushClient {
  const { lookup } = addresses;
  const secure = new HttpsAgent({ ...SOCKETS, lookup });
  const plain = new HttpAgent({ ...SOCKETS, lookup });
  const tokenFor = createTokens(vapid);
  return {
    async send({ subscription, payload, use_until, urgency, topic }, signal) {
      const { endpoint, p256dh, auth } = subscription;
      // Also one that was accepted: a setting may have changed since then.
      const url = addresses.read(endpoint);
      if (!url) return { outcome: 'refused', reason: 'address', for_good: false };
      const timeout = AbortSignal.timeout(TIMEOUT_MS);
      try {
        const { cipherText: body } = webPush.encrypt(p256dh, auth, pad(payload), 'aes128gcm');
        const headers = {
          authorization: tokenFor(url.origin),
          'content-encoding': 'aes128gcm',
          'content-type': 'application/octet-stream',
          'content-length': body.length,
          ttl: Math.max(0, Math.floor((use_until - now().getTime()) / 1000)),
          urgency,
          topic,
        };
        const options = { method: 'POST', headers, signal: AbortSignal.any([signal, timeout]) };
        const request =
          url.protocol === 'https:'
            ? requestHttps(url, { ...options, agent: secure })
            : requestHttp(url, { ...options, agent: plain });
        return await ask(request, body);
      } catch {
        return timeout.aborted ? { outcome: 'hung' } : { outcome: 'later', after_ms: null };
      }
    },
    close() {
      secure.destroy();
      plain.destroy();
    },
  };
}

/** Redirects are not followed: they could lead anywhere. */
function ask(request: ClientRequest, body: Buffer): Promise<PushOutcome> {
  return new Promise((resolve, reject) => {
    request.on('error', reject);
    // What ends without a response, such as in another protocol (101), may end without an error too.
    request.on('close', () => reject(new Error('this was no answer')));
    request.on('response', (response) => {
      let size = 0;
      response.on('data', (chunk: Buffer) => {
        size += chunk.length;
        if (size > MAX_REPLY_BYTES) response.destroy();
      });
      response.on('error', () => {});
      resolve(readOutcome(response.statusCode ?? 0, response.headers['retry-after']));
    });
    request.end(body);
  });
}

function readOutcome(status: number, retry_after: string | undefined): PushOutcome {
  if (status >= 200 && status < 300) return { outcome: 'sent' };
  if (status === 404 || status === 410) return { outcome: 'gone' };
  if (status !== 429 && status < 500) {
    return { outcome: 'refused', reason: String(status), for_good: REFUSED_FOR_GOOD.includes(status) };
  }
  const after_s = retry_after === undefined ? Number.NaN : Number(retry_after);
  return { outcome: 'later', after_ms: after_s >= 0 ? after_s * 1000 : null };
}

/** JSON may end in spaces. */
function pad(payload: string): string {
  const size = Buffer.byteLength(payload);
  return payload + ' '.repeat(Math.ceil(size / PADDED_BYTES) * PADDED_BYTES - size);
}

/** One signature serves a push service for hours. */
function createTokens({ subject, public_key, private_key }: Vapid): (origin: string) => string {
  const kept = new Map<string, { token: string; until: number }>();
  return (origin) => {
    const now = Date.now();
    const known = kept.get(origin);
    if (known && known.until > now) return known.token;
    if (kept.size >= MAX_TOKENS) kept.clear();
    const token = webPush.getVapidHeaders(origin, subject, public_key, private_key, 'aes128gcm').Authorization;
    kept.set(origin, { token, until: now + TOKEN_MS });
    return token;
  };
}
