import { createServer as createHttpServer, type RequestListener, request as send } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import { createSecrets } from '#api/database/secrets.ts';
import { mountCallerReport } from '#api/http/caller-report.ts';
import type { TrustProxyMonitor } from '#api/http/forwarded-header.ts';
import { createServer } from '#api/http/server.ts';
import { createLogger } from '#api/platform/logger.ts';

export const SECRETS = createSecrets('the secret of this server, long enough');

/** What a proxy does with the header of addresses. */
export type Forwarding = 'append' | 'replace' | 'strip' | 'pass';

/** Starts a plain server on this machine for the rest of the test. Returns its port. */
export async function listen(handle: RequestListener): Promise<number> {
  const server = createHttpServer(handle);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

/** Starts a proxy that forwards to a port; each client has an address of its own, as behind a real network. */
function openProxy(port: number, forwarding: Forwarding, client: string, host?: string): Promise<number> {
  return listen((request, reply) => {
    const { 'x-forwarded-for': claimed, ...headers } = request.headers;
    const forwarded = {
      append: [claimed, client].filter(Boolean).join(', '),
      replace: client,
      strip: undefined,
      pass: claimed,
    }[forwarding];
    const all = { ...headers, ...(forwarded ? { 'x-forwarded-for': forwarded } : {}), ...(host ? { host } : {}) };
    const outgoing = send({ port, host: '127.0.0.1', path: request.url, headers: all }, (incoming) => {
      reply.writeHead(incoming.statusCode ?? 502, incoming.headers);
      incoming.pipe(reply);
    });
    outgoing.end();
  });
}

/** Starts a server behind these proxies, the last one in front. Returns the settings that lead through them. */
export async function openServer(
  trust_proxy: string | undefined,
  chain: Forwarding[],
  { host, addressOf = (nth) => `10.9.9.${nth}` }: { host?: string; addressOf?: (nth: number) => string } = {},
) {
  const warnings: string[] = [];
  const logger = createLogger('warn', false, { write: (line) => void warnings.push(line) });
  const monitor: TrustProxyMonitor = new Map();
  const options = { logger, trust_proxy, trust_proxy_monitor: monitor, public_url: 'http://localhost' };
  const app = await createServer(options);
  mountCallerReport(app, { secrets: SECRETS, node: 'here:8000', trust_proxy, monitor });
  await app.listen({ port: 0, host: '127.0.0.1' });
  onTestFinished(() => app.close());
  const own_port = (app.server.address() as AddressInfo).port;
  let port = own_port;
  for (const [index, forwarding] of chain.entries())
    port = await openProxy(port, forwarding, addressOf(index + 1), host);
  const env = { PUBLIC_URL: `http://127.0.0.1:${port}`, TRUST_PROXY: trust_proxy, PORT: own_port, HOST: '127.0.0.1' };
  return { app, env, warnings };
}
