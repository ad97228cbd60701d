import { once } from 'node:events';
import { createServer, type OutgoingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { explainListenError } from '../http/listening/listen-address.ts';
import { PLAIN_TEXT_HEADERS } from '../http/pages/plain-pages.ts';

export const METRICS_PATH = '/metrics';

interface MetricsServerOptions {
  port: number;
  host: string;
  content_type: string;
  readMetrics: () => Promise<string>;
  onError: (error: unknown) => void;
}

export interface MetricsServer {
  /** Throws a StartError that names the setting. */
  listen(): Promise<AddressInfo>;
  close(): Promise<void>;
}

/** An HTTP server of its own for the metrics, which the public port never shows. */
export function createMetricsServer(options: MetricsServerOptions): MetricsServer {
  const { port, host, content_type, readMetrics, onError } = options;
  const server: Server = createServer((request, response) => {
    const { method = '', url = '' } = request;
    const reply = (status: number, headers: OutgoingHttpHeaders = {}, text = '') =>
      void response.writeHead(status, { ...PLAIN_TEXT_HEADERS, ...headers }).end(text);
    if (url.split('?', 1)[0] !== METRICS_PATH) return reply(404);
    if (method !== 'GET' && method !== 'HEAD') return reply(405, { allow: 'GET, HEAD' });
    readMetrics().then(
      (text) => reply(200, { 'content-type': content_type }, text),
      (error: unknown) => {
        onError(error);
        reply(500);
      },
    );
  });
  return {
    async listen() {
      try {
        server.listen({ port, host });
        await once(server, 'listening');
      } catch (error) {
        throw explainListenError(error, { port, host }, 'METRICS_PORT');
      }
      return server.address() as AddressInfo;
    },
    async close() {
      if (!server.listening) return;
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
