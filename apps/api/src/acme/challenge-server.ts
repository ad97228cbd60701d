import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import { PLAIN_TEXT_HEADERS } from '../http/pages/plain-pages.ts';

const MISDIRECTED = 421;
const CHALLENGE_PATH = '/.well-known/acme-challenge/';

export interface ChallengeServer {
  /** Answers the CA's request for this token. */
  answer(token: string, text: string): void;
  close(): Promise<void>;
}

/**
 * Listens for plain http, by which the CA checks that this server has the name, and redirects page loads to https. A
 * program that calls the app by plain http is refused: if it were redirected, no operator would notice what it sends in
 * the clear. Throws the error of `listen`.
 */
export async function openChallengeServer(
  address: { port: number; host: string },
  public_url: string,
): Promise<ChallengeServer> {
  const answers = new Map<string, string>();
  const listener: RequestListener = (request, response) => {
    const { pathname, search } = parsePath(request.url);
    const text = pathname.startsWith(CHALLENGE_PATH) ? answers.get(pathname.slice(CHALLENGE_PATH.length)) : undefined;
    if (text !== undefined)
      response.writeHead(200, { ...PLAIN_TEXT_HEADERS, 'content-type': 'application/octet-stream' }).end(text);
    else if (isPageLoad(request, pathname))
      response
        .writeHead(308, { ...PLAIN_TEXT_HEADERS, location: `${public_url}${pathname}${search}`, 'content-length': '0' })
        .end();
    else
      response
        .writeHead(MISDIRECTED, {
          ...PLAIN_TEXT_HEADERS,
          'content-type': 'text/plain; charset=utf-8',
          connection: 'close',
        })
        .end(`This server answers at ${public_url} only\n`);
  };
  const server = createServer({ requestTimeout: 10_000, headersTimeout: 8_000 }, listener).listen(address);
  server.maxRequestsPerSocket = 1;
  await once(server, 'listening');
  return {
    answer: (token, text) => void answers.set(token, text),
    async close() {
      server.close();
      server.closeAllConnections();
      if (server.listening) await once(server, 'close');
    },
  };
}

function isPageLoad({ method = '' }: IncomingMessage, pathname: string): boolean {
  return ['GET', 'HEAD'].includes(method) && !pathname.startsWith('/v1/');
}

/** Returns the root for an address in another form, such as the absolute one that proxies send. */
function parsePath(url = '/'): { pathname: string; search: string } {
  const is_path = /^\/(?!\/)/.test(url) && URL.canParse(url, 'http://localhost');
  return is_path ? new URL(url, 'http://localhost') : { pathname: '/', search: '' };
}
