import { BlockList, isIP } from 'node:net';
import type { FastifyInstance, FastifyRequest } from 'fastify';

/** By problem: the first request that showed it. */
export type TrustProxyMonitor = Map<string, { peer: string; at: string }>;

/** Load balancers request these paths themselves, so without a forwarded header. */
const HEALTH_PATHS = ['/healthz', '/readyz'];
/** The subnets of the names that TRUST_PROXY may hold, as Fastify defines them. */
const NAMED_SUBNETS: Record<string, string[]> = {
  loopback: ['127.0.0.0/8', '::1/128'],
  linklocal: ['169.254.0.0/16', 'fe80::/10'],
  uniquelocal: ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7'],
};

/**
 * Warns once of each way in which requests do not fit TRUST_PROXY: rate limits would count all clients as one, or trust
 * any address that a client claims. Extra addresses prove nothing, because a client may send some. Requests to
 * `ignored_path` claim addresses on purpose.
 */
export function warnOfWrongTrustProxy(
  app: FastifyInstance,
  trust_proxy: string | undefined,
  { monitor, ignored_path }: { monitor: TrustProxyMonitor; ignored_path: string },
): void {
  const findProblem = createProblemFinder(trust_proxy);
  app.addHook('onRequest', (request, _reply, done) => {
    const problem = request.routeOptions.url === ignored_path ? undefined : findProblem(request);
    if (problem && !monitor.has(problem)) {
      const peer = request.socket.remoteAddress ?? '';
      monitor.set(problem, { peer, at: new Date().toISOString() });
      app.log.warn({ peer, TRUST_PROXY: trust_proxy }, `TRUST_PROXY: ${problem}`);
    }
    done();
  });
}

function createProblemFinder(trust_proxy = '0'): (request: FastifyRequest) => string | undefined {
  if (!/^\d+$/.test(trust_proxy)) {
    const proxies = listProxies(trust_proxy);
    return (request) => findProblemOfAddresses(request, proxies);
  }
  const count = Number(trust_proxy);
  return count === 0 ? findForwarding : (request) => findProblemOfCount(request, count);
}

function findForwarding({ headers }: FastifyRequest): string | undefined {
  if (headers['x-forwarded-for'] === undefined && headers.forwarded === undefined) return undefined;
  return 'a request came through a proxy, and none is set: limits count all clients of that proxy as one';
}

function findProblemOfCount(request: FastifyRequest, count: number): string | undefined {
  const header = request.headers['x-forwarded-for']?.toString();
  if (header === undefined) return findSilence(request);
  if (header.split(',').length >= count) return undefined;
  return 'it counts more proxies than a request came through: clients can claim any address';
}

function findProblemOfAddresses(request: FastifyRequest, proxies: BlockList): string | undefined {
  if (request.headers['x-forwarded-for'] === undefined) {
    // Only a trusted peer could claim an address; any other caller is counted by its own.
    return isListed(proxies, request.socket.remoteAddress ?? '') ? findSilence(request) : findUnreadHeader(request);
  }
  // Fastify lists the peer first, then the addresses that trusted proxies reported.
  if (request.ips !== undefined && request.ips.length > 1) return undefined;
  return 'X-Forwarded-For came from an address that it does not name, and was not believed';
}

/** For a peer that may claim addresses: if it is a proxy that sends none, it passes on what its clients claim. */
function findSilence(request: FastifyRequest): string | undefined {
  const unread = findUnreadHeader(request);
  if (unread !== undefined || HEALTH_PATHS.includes(request.url)) return unread;
  return 'a request came without X-Forwarded-For: it went past the proxy, or the proxy does not send that header';
}

function findUnreadHeader({ headers }: FastifyRequest): string | undefined {
  if (headers.forwarded === undefined) return undefined;
  return 'the proxy sends Forwarded, which is not read: let it send X-Forwarded-For';
}

/** Returns the proxies of a value of TRUST_PROXY that is not a number. */
function listProxies(trust_proxy: string): BlockList {
  const proxies = new BlockList();
  for (const part of trust_proxy.split(',').flatMap((text) => NAMED_SUBNETS[text.trim()] ?? text.trim())) {
    const [address = '', bits] = part.split('/');
    const family = familyOf(address);
    proxies.addSubnet(address, Number(bits ?? (family === 'ipv4' ? 32 : 128)), family);
  }
  return proxies;
}

function isListed(proxies: BlockList, peer: string): boolean {
  return isIP(peer) !== 0 && proxies.check(peer, familyOf(peer));
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIP(address) === 4 ? 'ipv4' : 'ipv6';
}
