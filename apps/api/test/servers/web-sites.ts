import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { MadeCertificate } from '../certificate.ts';

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

/** Web sites of several hosts on a free port of this machine. */
export interface WebSites {
  port: number;
  /** The requests, as `host/path`. */
  requested: string[];
  /** Sets what a host answers; a text: its file for claims. */
  set(host: string, answer: string | Answer): void;
  close(): Promise<void>;
}

/** `certificate`: serves https with it. */
export async function startWebSites(certificate?: MadeCertificate): Promise<WebSites> {
  const answers = new Map<string, string | Answer>();
  const requested: string[] = [];
  const onRequest = (request: IncomingMessage, response: ServerResponse) => {
    const host = (request.headers.host ?? '').replace(/:\d+$/, '');
    requested.push(`${host}${request.url}`);
    const answer = answers.get(host);
    if (typeof answer === 'function') answer(request, response);
    else if (answer !== undefined && request.url === '/.well-known/sendlap.txt') response.end(answer);
    else response.writeHead(404).end(`No ${request.url} here`);
  };
  const server: Server = certificate ? createSecureServer(certificate, onRequest) : createServer(onRequest);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
  return {
    port: (server.address() as AddressInfo).port,
    requested,
    set: (host, answer) => void answers.set(host, answer),
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
