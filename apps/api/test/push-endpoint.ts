import { createDecipheriv, createECDH, hkdfSync, randomBytes } from 'node:crypto';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { PushPayload } from '@sendlap/contract/push-subscriptions.ts';
import { importJWK, jwtVerify } from 'jose';

export interface ReceivedPush {
  path: string;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

/** The browser's side of a push subscription: what it sends to the server, and the keys that it keeps. */
export interface PushBrowser {
  subscription: { endpoint: string; keys: { p256dh: string; auth: string } };
  /** Returns the decrypted push; throws if it is for another browser. */
  read(push: ReceivedPush): PushPayload;
}

export interface PushEndpoint {
  origin: string;
  received: ReceivedPush[];
  /** Sets the answer to the next pushes: 201 by default; 0 means no answer at all. */
  answer(status: number, headers?: Record<string, string>): void;
  /** Opens a new browser whose subscription leads here. */
  openBrowser(): PushBrowser;
  /** Returns the pushes sent to this browser, in order. */
  readAll(browser: PushBrowser): PushPayload[];
  close(): Promise<void>;
}

/** Starts a push service on this machine, which records every push. */
export async function startPushEndpoint(): Promise<PushEndpoint> {
  const received: ReceivedPush[] = [];
  let reply: { status: number; headers: Record<string, string> } = { status: 201, headers: {} };
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      received.push({ path: request.url ?? '', headers: request.headers, body: Buffer.concat(chunks) });
      if (reply.status !== 0) response.writeHead(reply.status, reply.headers).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    origin,
    received,
    answer(status, headers = {}) {
      reply = { status, headers };
    },
    openBrowser: () => makeBrowser(origin),
    readAll: (browser) =>
      received.filter(({ path }) => browser.subscription.endpoint === origin + path).map((push) => browser.read(push)),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function makeBrowser(origin: string): PushBrowser {
  const curve = createECDH('prime256v1');
  const point = curve.generateKeys();
  const auth = randomBytes(16);
  const endpoint = `${origin}/${randomBytes(12).toString('base64url')}`;
  return {
    subscription: { endpoint, keys: { p256dh: point.toString('base64url'), auth: auth.toString('base64url') } },
    read({ headers, body }) {
      if (headers['content-encoding'] !== 'aes128gcm') throw new Error('not encrypted as RFC 8291 says');
      return PushPayload.parse(JSON.parse(decrypt(body, { curve, point, auth }).toString()));
    },
  };
}

interface BrowserKeys {
  curve: ReturnType<typeof createECDH>;
  point: Buffer;
  auth: Buffer;
}

/** RFC 8291, section 3.4, over one record of RFC 8188, section 2. */
function decrypt(body: Buffer, { curve, point, auth }: BrowserKeys): Buffer {
  const salt = body.subarray(0, 16);
  const record_size = body.readUInt32BE(16);
  const id_length = body.readUInt8(20);
  const senders_point = body.subarray(21, 21 + id_length);
  const sealed = body.subarray(21 + id_length);
  if (sealed.length > record_size) throw new Error('more than one record');
  const secret = curve.computeSecret(senders_point);
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), point, senders_point]);
  const input = Buffer.from(hkdfSync('sha256', secret, auth, info, 32));
  const key = Buffer.from(hkdfSync('sha256', input, salt, 'Content-Encoding: aes128gcm\0', 16));
  const nonce = Buffer.from(hkdfSync('sha256', input, salt, 'Content-Encoding: nonce\0', 12));
  const cipher = createDecipheriv('aes-128-gcm', key, nonce);
  cipher.setAuthTag(sealed.subarray(-16));
  const plain = Buffer.concat([cipher.update(sealed.subarray(0, -16)), cipher.final()]);
  const end = plain.findLastIndex((byte) => byte !== 0);
  // The delimiter of the last record.
  if (plain[end] !== 2) throw new Error('the record does not end');
  return plain.subarray(0, end);
}

/** The claims of a push's VAPID token (RFC 8292), whose key must be this one (base64url of a point). */
export async function readVapid({ headers }: ReceivedPush, public_key: string) {
  const [, token = '', key] = /^vapid t=([^,]+), k=(.+)$/.exec(headers.authorization ?? '') ?? [];
  if (key !== public_key) throw new Error('another key than the one that browsers subscribed with');
  const point = Buffer.from(public_key, 'base64url');
  const [x, y] = [point.subarray(1, 33).toString('base64url'), point.subarray(33).toString('base64url')];
  const { payload } = await jwtVerify(token, await importJWK({ kty: 'EC', crv: 'P-256', x, y }, 'ES256'));
  return payload;
}
