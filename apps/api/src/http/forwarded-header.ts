import type { FastifyInstance, FastifyRequest } from 'fastify';

/** The first request that did not fit TRUST_PROXY. */
export interface TrustProxyMonitor {
  first_misfit?: { problem: string; peer: string; at: string };
}

/** Load balancers request these paths themselves, so without a forwarded header. */
const HEALTH_PATHS = ['/healthz', '/readyz'];

/**
 * Warns once if a request shows that TRUST_PROXY does not match the proxies in front: rate limits would then count all
 * clients as one, or trust any address that a client claims. Extra addresses prove nothing, because a client may send
 * some. Requests to `ignored_path` claim addresses on purpose. The monitor keeps that request.
 */
export function warnOfWrongTrustProxy(
  app: FastifyInstance,
  trust_proxy: string | undefined,
  { monitor, ignored_path }: { monitor: TrustProxyMonitor; ignored_path: string },
): void {
  app.addHook('onRequest', (request, _reply, done) => {
    if (!monitor.first_misfit && request.routeOptions.url !== ignored_path) {
      const problem = findTrustProxyProblem(request, trust_proxy);
      if (problem) {
        const peer = request.socket.remoteAddress ?? '';
        monitor.first_misfit = { problem, peer, at: new Date().toISOString() };
        app.log.warn({ peer, TRUST_PROXY: trust_proxy }, `TRUST_PROXY: ${problem}`);
      }
    }
    done();
  });
}

function findTrustProxyProblem(request: FastifyRequest, trust_proxy: string | undefined): string | undefined {
  const addresses = request.headers['x-forwarded-for']?.toString().split(',').length ?? 0;
  if (trust_proxy === undefined) {
    if (addresses === 0 && request.headers.forwarded === undefined) return undefined;
    return 'a request came through a proxy, and it is not set: limits count all clients of that proxy as one';
  }
  if (addresses === 0) {
    if (request.headers.forwarded !== undefined) {
      return 'the proxy sends Forwarded, which is not read: let it send X-Forwarded-For';
    }
    if (!/^\d+$/.test(trust_proxy) || Number(trust_proxy) === 0 || HEALTH_PATHS.includes(request.url)) return undefined;
    return 'a request came without X-Forwarded-For: it went past the proxy, or the proxy does not send that header';
  }
  if (/^\d+$/.test(trust_proxy)) {
    if (addresses >= Number(trust_proxy)) return undefined;
    return 'it counts more proxies than a request came through: clients can claim any address';
  }
  // Fastify lists the peer first, then the addresses that trusted proxies reported.
  if (request.ips !== undefined && request.ips.length > 1) return undefined;
  return 'X-Forwarded-For came from an address that it does not name, and was not believed';
}
