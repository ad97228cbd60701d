import { createServer, type IncomingMessage, type ServerResponse, request as send } from 'node:http';
import type { Socket } from 'node:net';
import { buffer } from 'node:stream/consumers';

/**
 * The outcome of a request. `lost`: it never arrives. `unanswered`: the server carried it out, but no byte of its
 * answer comes back. `cut`: the headers come (with their cookies), the body breaks off. `append`: the answer has this
 * at its end. The others are answers sent instead of the server's: `body` as the server's own refusal, `content` as a
 * file or a page of the network, `redirect` to another address.
 */
export type Fate =
  | 'pass'
  | 'lost'
  | 'unanswered'
  | 'cut'
  | { append: string }
  | { status: number; body: object }
  | { status: number; content: string | Buffer; type: string }
  | { redirect: string };

export interface Passing {
  /** Name and port of the server that the browser asks. */
  host: string;
  /** Path with query. */
  path: string;
  /** The Cookie header, '' without one. */
  cookie: string;
}

export type Rule = (request: Passing) => Fate | Promise<Fate>;

/** A proxy between a browser and the server in which any request can fail. */
export interface ForwardProxy {
  /** For the browser's proxy setting; pages keep the server's own address, so cookies and origins stay right. */
  address: string;
  /** Sets the rule for all further requests; undefined: all pass. */
  follow(rule: Rule | undefined): void;
  /**
   * Calls the listener once the whole answer to a request has been sent to the browser, with the bytes of its body as
   * sent. Returns the unsubscribe function.
   */
  onRelayed(listener: (path: string, bytes: number) => void): () => void;
  close(): Promise<void>;
}

export async function startForwardProxy(): Promise<ForwardProxy> {
  const sockets = new Set<Socket>();
  const relayed = new Set<(path: string, bytes: number) => void>();
  let rule: Rule | undefined;

  async function handle(request: IncomingMessage, reply: ServerResponse): Promise<void> {
    // A plain proxy request has the whole address; a request in a tunnel has only the path, and the server as its host.
    const url = new URL(request.url ?? '', `http://${request.headers.host}`);
    const path = url.pathname + url.search;
    // Reads the whole body first: from here on the browser may die without the server missing anything.
    const body = await buffer(request);
    const fate = (await rule?.({ host: url.host, path, cookie: request.headers.cookie ?? '' })) ?? 'pass';
    if (fate === 'lost') return void reply.destroy();
    if (typeof fate === 'object' && !('append' in fate)) return answerInstead(reply, fate);
    // The browser may have given up while the rule waited: the request arrives all the same.
    reply.on('error', () => {});
    let bytes = 0;
    reply.on('pipe', (answer) =>
      answer.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
      }),
    );
    reply.on('finish', () => {
      for (const listener of relayed) listener(url.pathname, bytes);
    });
    relay(request, reply, { url, path, body, fate });
  }

  const server = createServer((request, reply) => {
    handle(request, reply).catch(() => reply.destroy());
  });
  // Playwright's own client calls through tunnels: the rule applies to requests in a tunnel as to all others.
  server.on('connect', (_request: IncomingMessage, tunnel: Socket) => {
    tunnel.write('HTTP/1.1 200 Connection Established\r\n\r\n');
    server.emit('connection', tunnel);
  });
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  return {
    address: `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`,
    follow(next) {
      rule = next;
    },
    onRelayed(listener) {
      relayed.add(listener);
      return () => relayed.delete(listener);
    },
    close: () =>
      new Promise((closed) => {
        for (const socket of sockets) socket.destroy();
        server.close(() => closed());
      }),
  };
}

function answerInstead(reply: ServerResponse, fate: Exclude<Fate, string | { append: string }>): void {
  if ('redirect' in fate) return void reply.writeHead(302, { location: fate.redirect }).end();
  if ('content' in fate) return void reply.writeHead(fate.status, { 'content-type': fate.type }).end(fate.content);
  const headers = { 'content-type': 'application/json', 'x-server-time': Date.now() };
  reply.writeHead(fate.status, headers).end(JSON.stringify(fate.body));
}

interface Onward {
  url: URL;
  path: string;
  body: Buffer;
  fate: 'pass' | 'unanswered' | 'cut' | { append: string };
}

function relay(request: IncomingMessage, reply: ServerResponse, { url, path, body, fate }: Onward): void {
  const { 'proxy-connection': _, ...headers } = request.headers;
  if (typeof fate === 'object') {
    // Nothing can be appended to a compressed text, or to "not modified".
    headers['accept-encoding'] = 'identity';
    delete headers['if-modified-since'];
    delete headers['if-none-match'];
  }
  const onward = send({ host: url.hostname, port: url.port, method: request.method, path, headers }, (answer) => {
    answer.on('error', () => reply.destroy());
    if (fate === 'unanswered') return void reply.destroy();
    if (typeof fate === 'object') return void appendTo(answer, reply, fate.append);
    reply.writeHead(answer.statusCode ?? 502, answer.headers);
    if (fate === 'pass') return void answer.pipe(reply);
    answer.once('data', (chunk: Buffer) => {
      reply.write(chunk.subarray(0, chunk.length >> 1), () => reply.destroy());
    });
  });
  onward.on('error', () => reply.destroy());
  reply.on('close', () => onward.destroy());
  onward.end(body);
}

function appendTo(answer: IncomingMessage, reply: ServerResponse, text: string): void {
  const { 'content-length': _, etag: __, 'last-modified': ___, ...headers } = answer.headers;
  reply.writeHead(answer.statusCode ?? 502, headers);
  answer.pipe(reply, { end: false });
  answer.on('end', () => reply.end(text));
}
