import { type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { json } from 'node:stream/consumers';

const TIMEOUT_MS = 8_000;

export interface CallReply {
  status: number;
  /** The target of a redirect. */
  location: string | undefined;
  /** The parsed JSON; null for another format. */
  body: unknown;
  /** This program's end of the connection. */
  local: { address: string; port: number };
}

/**
 * Calls a server over a connection of its own, and follows no redirect. Rejects if the server cannot be reached, or does
 * not answer within 8 s.
 */
export async function callServer(url: string, headers: Record<string, string>): Promise<CallReply> {
  const send = new URL(url).protocol === 'https:' ? requestHttps : requestHttp;
  const request = send(url, { headers, agent: false, signal: AbortSignal.timeout(TIMEOUT_MS) });
  const local = { address: '', port: 0 };
  request.once('socket', (socket) => {
    socket.once('connect', () => {
      local.address = socket.localAddress ?? '';
      local.port = socket.localPort ?? 0;
    });
  });
  const reply = await new Promise<IncomingMessage>((resolve, reject) => {
    request.once('response', resolve).once('error', reject).end();
  });
  const body = await json(reply).catch(() => null);
  return { status: reply.statusCode ?? 0, location: reply.headers.location, body, local };
}
