import { request as requestHttp } from 'node:http';
import { connect as connectHttp2 } from 'node:http2';
import { request as requestHttps } from 'node:https';
import { connect as connectTcp } from 'node:net';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { connect as connectTls } from 'node:tls';
import { constants, createGunzip } from 'node:zlib';
import { afterDelay } from '../../apps/api/test/delays.ts';

const PATIENCE_MS = 30_000;

/** A request of a browser, from an address of this machine. */
export interface Call {
  path: string;
  headers?: Record<string, string>;
  json?: object;
  /** 127.0.0.1, or another address of this machine. */
  from?: string;
}

export interface OpenReply {
  status: number;
  /** The body as it arrives, unpacked. */
  body: Readable;
  /** Ends the connection. */
  close(): void;
}

/** Calls `origin` as a browser does: with gzip, and by HTTP/2 if that is https. */
export async function open(origin: string, ca: string | undefined, call: Call): Promise<OpenReply> {
  const body = call.json === undefined ? undefined : JSON.stringify(call.json);
  const headers = {
    'accept-encoding': 'gzip',
    ...(body === undefined ? {} : { 'content-type': 'application/json', origin }),
    ...call.headers,
  };
  const opening =
    ca === undefined ? openHttp1(origin, call, headers, body) : openHttp2(origin, ca, call, headers, body);
  return inTime(opening, call.path);
}

function openHttp1(origin: string, call: Call, headers: Record<string, string>, body = ''): Promise<OpenReply> {
  const send = origin.startsWith('https:') ? requestHttps : requestHttp;
  const { path, json, from: localAddress = '127.0.0.1' } = call;
  const length = json === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
  const { hostname, port, host } = new URL(origin);
  return new Promise((resolve, reject) => {
    const options = { hostname: toLoopback(hostname), port, path, localAddress, agent: false };
    const request = send({ ...options, method: json ? 'POST' : 'GET', headers: { ...headers, ...length, host } });
    request.once('error', reject).once('response', (reply) => {
      const opened = { status: reply.statusCode ?? 0, close: () => void request.destroy() };
      resolve({ ...opened, body: unpack(reply, reply.headers['content-encoding']) });
    });
    request.end(body);
  });
}

async function openHttp2(
  origin: string,
  ca: string,
  { path, json, from: localAddress = '127.0.0.1' }: Call,
  headers: Record<string, string>,
  body: string | undefined,
): Promise<OpenReply> {
  const { hostname, port } = new URL(origin);
  const socket = connectTcp({ host: toLoopback(hostname), port: Number(port), localAddress });
  const session = connectHttp2(origin, {
    createConnection: () => connectTls({ socket, servername: hostname, ca, ALPNProtocols: ['h2'] }),
  });
  return new Promise((resolve, reject) => {
    const fail = (error: Error) => {
      session.destroy();
      reject(error);
    };
    session.once('error', fail);
    const request = session.request({ ':method': json ? 'POST' : 'GET', ':path': path, ...headers });
    if (body !== undefined) request.end(body);
    request.once('error', fail).once('response', (reply) => {
      const opened = { status: Number(reply[':status']), close: () => session.destroy() };
      resolve({ ...opened, body: unpack(request, reply['content-encoding']?.toString()) });
    });
  });
}

/** The proxies listen at this address only; `localhost` may be another one first. */
function toLoopback(hostname: string): string {
  return hostname === 'localhost' ? '127.0.0.1' : hostname;
}

/** A browser shows each piece of a packed stream as soon as it arrives. */
function unpack(body: Readable, encoding: string | undefined): Readable {
  if (encoding !== 'gzip') return body.on('error', () => {});
  const gunzip = createGunzip({ flush: constants.Z_SYNC_FLUSH, finishFlush: constants.Z_SYNC_FLUSH });
  body.on('error', () => gunzip.destroy());
  return body.pipe(gunzip).on('error', () => {});
}

/** Calls and returns the whole reply. */
export async function ask(
  origin: string,
  ca: string | undefined,
  call: Call,
): Promise<{ status: number; text: string }> {
  const reply = await open(origin, ca, call);
  try {
    return { status: reply.status, text: await inTime(text(reply.body), `all of ${call.path}`) };
  } finally {
    reply.close();
  }
}

async function inTime<Result>(work: Promise<Result>, what: string): Promise<Result> {
  const late = afterDelay(PATIENCE_MS, { ref: false }).then(() => {
    throw new Error(`no answer: ${what}`);
  });
  return Promise.race([work, late]);
}
