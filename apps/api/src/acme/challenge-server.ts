import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';

const CHALLENGE_PATH = '/.well-known/acme-challenge/';

export interface ChallengeServer {
  /** Answers the CA's request for this token. */
  answer(token: string, text: string): void;
  close(): Promise<void>;
}

/**
 * Listens for plain http, by which the CA checks that this server has the name, and redirects browsers to https. Throws
 * the error of `listen`.
 */
export async function openChallengeServer(
  address: { port: number; host: string },
  public_url: string,
): Promise<ChallengeServer> {
  const answers = new Map<string, string>();
  const listener: RequestListener = (request, response) => {
    const { pathname, search } = parsePath(request.url);
    const text = pathname.startsWith(CHALLENGE_PATH) ? answers.get(pathname.slice(CHALLENGE_PATH.length)) : undefined;
    if (text !== undefined) response.writeHead(200, { 'content-type': 'application/octet-stream' }).end(text);
    else response.writeHead(308, { location: `${public_url}${pathname}${search}`, 'content-length': '0' }).end();
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

/** Returns the root for an address in another form, such as the absolute one that proxies send. */
function parsePath(url = '/'): { pathname: string; search: string } {
  const is_path = /^\/(?!\/)/.test(url) && URL.canParse(url, 'http://localhost');
  return is_path ? new URL(url, 'http://localhost') : { pathname: '/', search: '' };
}
