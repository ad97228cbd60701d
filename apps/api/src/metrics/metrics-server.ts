import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { explainListenError } from '../http/listening/listen-address.ts';

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
    if (url.split('?', 1)[0] !== METRICS_PATH) return void response.writeHead(404).end();
    if (method !== 'GET' && method !== 'HEAD') return void response.writeHead(405, { allow: 'GET, HEAD' }).end();
    readMetrics().then(
      (text) => response.writeHead(200, { 'content-type': content_type, 'cache-control': 'no-store' }).end(text),
      (error: unknown) => {
        onError(error);
        response.writeHead(500).end();
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
