import type { Secrets } from '#api/database/secrets.ts';
import type { Env } from '#api/platform/env.ts';
import { isLoopbackHost } from '#api/platform/local-hosts.ts';
import { createPeriodicJob, type PeriodicJob } from '#api/platform/periodic-job.ts';
import { checkPublicAddress } from './public-address.ts';

/** A proxy may start after the server. */
const INTERVAL_MS = 30_000;

interface ProxyCheckOptions {
  env: Pick<Env, 'PUBLIC_URL' | 'TRUST_PROXY' | 'PORT' | 'HOST'>;
  secrets: Secrets;
  log: { warn(fields: object, text: string): void };
}

/**
 * Job that calls the public address as doctor does, until it has answered once, and logs if TRUST_PROXY lets clients
 * claim addresses or counts all as one: requests of visitors do not always show it. Undefined without a proxy.
 */
export function createProxyCheck({ env, secrets, log }: ProxyCheckOptions): PeriodicJob | undefined {
  if (env.TRUST_PROXY === undefined && isLoopbackHost(new URL(env.PUBLIC_URL).hostname)) return undefined;
  let has_answered = false;
  return createPeriodicJob({
    name: 'proxy_check',
    interval_ms: INTERVAL_MS,
    async work() {
      if (has_answered) return 0;
      const findings = (await checkPublicAddress(env, secrets)).filter(({ check }) => check === 'proxy');
      has_answered = findings.length > 0;
      for (const { detail } of findings.filter(({ verdict }) => verdict === 'broken')) log.warn({}, detail);
      return findings.length;
    },
    log,
    failure_message: 'the proxies could not be checked',
  });
}
