import { request as openRequest } from 'node:http';
import { EVENTS_PATH } from '@sendlap/contract/events.ts';
import type { TestApp } from '../app/app.ts';
import { listen } from '../matrix/read-stream.ts';
import type { FuzzedRequest, Target } from './requests.ts';

export interface FuzzedReply {
  status: number;
  body: string;
}

/** Longer than the server needs for its first event. */
const MAX_STREAM_MS = 5_000;
const MAX_STREAM_BYTES = 100_000;

interface Sending {
  api: TestApp;
  target: Target;
  request: FuzzedRequest;
  headers: Record<string, string>;
  remote_address: string;
}

export async function sendRequest({ api, target, request, headers, remote_address }: Sending): Promise<FuzzedReply> {
  const { url, body } = request;
  if (target.path === EVENTS_PATH) return readStart(await listen(api), url, headers);
  const reply = await api.app.inject({
    method: target.method,
    url,
    headers,
    remoteAddress: remote_address,
    ...(body && { payload: body }),
  });
  return { status: reply.statusCode, body: reply.body };
}

/** Reads an event stream to its first event, or a refusal to its end, and closes the connection. */
function readStart(origin: string, path: string, headers: Record<string, string>): Promise<FuzzedReply> {
  // Node itself answers `expect`, before the app.
  const { expect: _expect, ...sent } = headers;
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(origin);
    const request = openRequest({ hostname, port, path, headers: sent, agent: false, timeout: MAX_STREAM_MS });
    request.on('timeout', () => request.destroy(new Error(`the stream at ${path} sent nothing`)));
    request.on('error', reject);
    request.on('response', (reply) => {
      let body = '';
      const end = () => {
        resolve({ status: reply.statusCode ?? 0, body });
        request.destroy();
      };
      reply.setEncoding('utf8');
      reply.on('data', (piece: string) => {
        body += piece;
        const is_stream = reply.headers['content-type']?.startsWith('text/event-stream');
        if ((is_stream && body.includes('\n\n')) || body.length > MAX_STREAM_BYTES) end();
      });
      reply.on('end', end);
      reply.on('error', end);
    });
    request.end();
  });
}
