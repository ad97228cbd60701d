import { request as open } from 'node:http';

const ANSWER_TIMEOUT_MS = 20_000;

export interface Answer {
  /** 0 if the server closed the connection without an answer. */
  status: number;
  location: string | undefined;
  set_cookies: string[];
  header(name: string): string | undefined;
  body: string;
  /** The code of the error envelope. */
  code: string | undefined;
  /** The envelope's `data`; an empty object without one. */
  data: Record<string, unknown>;
}

export interface Ask {
  method?: string | undefined;
  /** Sent unchanged, and twice if listed twice. */
  headers?: [string, string][];
  body?: string | Buffer | undefined;
}

/** Sends one request over a connection of its own, as raw as Node can: follows no redirect, adds no header. */
export function ask(address: string, { method = 'GET', headers = [], body }: Ask = {}): Promise<Answer> {
  const { hostname, host, port } = new URL(address);
  // Unparsed: a parser would resolve the dots and slashes of an attack.
  const path = address.slice(address.indexOf('/', 'http://'.length));
  const sent: [string, string][] = [['host', host], ...headers];
  // Otherwise Node would announce a chunked body, which a browser does not.
  if (method !== 'GET') sent.push(['content-length', String(Buffer.byteLength(body ?? ''))]);
  return new Promise((resolve, reject) => {
    const request = open({ hostname, port, path, method, headers: sent.flat(), agent: false });
    request.setTimeout(ANSWER_TIMEOUT_MS, () => request.destroy(new Error(`no answer to ${method} ${path}`)));
    request.on('error', (error: NodeJS.ErrnoException) =>
      error.code === 'ECONNRESET' || error.code === 'EPIPE' ? resolve(toAnswer(0, {}, '')) : reject(error),
    );
    request.on('response', (reply) => {
      let text = '';
      reply.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk;
      });
      const finish = () => resolve(toAnswer(reply.statusCode ?? 0, reply.headers, text));
      // An event stream never ends: it is enough to know that it opened.
      if (reply.headers['content-type']?.startsWith('text/event-stream')) {
        finish();
        request.destroy();
      }
      reply.on('close', finish);
    });
    request.end(body);
  });
}

function toAnswer(status: number, headers: NodeJS.Dict<string | string[]>, body: string): Answer {
  const header = (name: string) => [headers[name]].flat()[0];
  const json = parseObject(body);
  const { code, data } = json as { code?: unknown; data?: unknown };
  return {
    status,
    location: header('location'),
    set_cookies: [headers['set-cookie'] ?? []].flat(),
    header,
    body,
    code: typeof code === 'string' ? code : undefined,
    data: typeof data === 'object' && data !== null ? (data as Record<string, unknown>) : {},
  };
}

function parseObject(text: string): object {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : {};
  } catch {
    return {};
  }
}
