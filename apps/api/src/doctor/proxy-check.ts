import type { Secrets } from '#api/database/secrets.ts';
import type { Env } from '#api/platform/env.ts';
import { isLoopbackHost } from '#api/platform/local-hosts.ts';
import { createPeriodicJob, type PeriodicJob } from '#api/platform/periodic-job.ts';
import { examinePublicAddress } from './public-address.ts';

/** A proxy may start after the server. */
const INTERVAL_MS = 30_000;

interface ProxyCheckOptions {
  env: Pick<Env, 'PUBLIC_URL' | 'TRUST_PROXY' | 'PORT' | 'HOST'>;
  secrets: Secrets;
  log: { warn(fields: object, text: string): void };
}

/**
 * Job that calls the public address as doctor does, until the server itself has answered, and logs each problem of the
 * proxies once: the host that they forward, another program behind the address, and a TRUST_PROXY that lets clients claim
 * addresses or counts all as one. Requests of visitors do not always show it. Undefined without a proxy.
 */
export function createProxyCheck({ env, secrets, log }: ProxyCheckOptions): PeriodicJob | undefined {
  const { hostname, port } = new URL(env.PUBLIC_URL);
  const is_own_port = isLoopbackHost(hostname) && port === String(env.PORT);
  if (env.TRUST_PROXY === undefined && is_own_port) return undefined;
  let has_answered = false;
  const logged = new Set<string>();
  return createPeriodicJob({
    name: 'proxy_check',
    interval_ms: INTERVAL_MS,
    async work() {
      if (has_answered) return 0;
      const { of_proxies, has_reported } = await examinePublicAddress(env, secrets);
      has_answered = has_reported;
      for (const { detail } of of_proxies) {
        if (!logged.has(detail)) log.warn({}, detail);
        logged.add(detail);
      }
      return Number(has_reported);
    },
    log,
    failure_message: 'the proxies could not be checked',
  });
}
