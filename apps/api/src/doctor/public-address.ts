import { connect } from 'node:net';
import type { Secrets } from '#api/database/secrets.ts';
import { CALLER_REPORT_PATH, CallerReport, createReportToken } from '#api/http/caller-report.ts';
import type { Env } from '#api/platform/env.ts';
import { isLoopbackHost } from '#api/platform/local-hosts.ts';
import { VERSION } from '#api/platform/version.ts';
import { type CallReply, callServer } from './call-server.ts';
import { type Finding, findingsOf, reasonOf } from './finding.ts';

const TIMEOUT_MS = 8_000;
/** An address that no client has (RFC 5737): a server that believes it believes every claim. */
const CLAIMED_ADDRESS = '192.0.2.77';
const { good, lacking, broken } = findingsOf('address');
const proxy = findingsOf('proxy');
/** Node's codes for a certificate whose issuer it does not know: one of its own, or a chain with a link missing. */
const UNKNOWN_ISSUER = /SELF_SIGNED|ISSUER|LEAF_SIGNATURE/;
/** The answers of a proxy whose server does not answer, or of a server that is overloaded. */
const GATEWAY_STATUSES = [502, 503, 504];
const ANY_ADDRESS = ['0.0.0.0', '::'];

type PublicAddressSettings = Pick<Env, 'PUBLIC_URL' | 'TRUST_PROXY' | 'PORT' | 'HOST'>;

/**
 * Calls the server from outside in, by its public address, and compares what the server saw with the settings.
 * `running_nodes` are the names of the server processes on its database.
 */
export async function checkPublicAddress(
  env: PublicAddressSettings,
  secrets: Secrets,
  running_nodes: readonly string[] = [],
): Promise<Finding[]> {
  return (await examinePublicAddress(env, secrets, running_nodes)).findings;
}

/**
 * As `checkPublicAddress`. `of_proxies` are the findings that a proxy or its settings explain: not those of an address that
 * cannot be reached, for a proxy or its server may start later, and not those that the server logs by its visitors' requests.
 */
export async function examinePublicAddress(
  env: PublicAddressSettings,
  secrets: Secrets,
  running_nodes: readonly string[] = [],
): Promise<{ findings: Finding[]; of_proxies: Finding[]; has_reported: boolean }> {
  const { PUBLIC_URL: public_url } = env;
  let reply: CallReply;
  try {
    reply = await callServer(`${public_url}${CALLER_REPORT_PATH}`, {
      authorization: createReportToken(secrets),
      'x-forwarded-for': CLAIMED_ADDRESS,
    });
  } catch (error) {
    const unreachable = await explainUnreachable(env, error, running_nodes);
    return { findings: [unreachable], of_proxies: [], has_reported: false };
  }
  const { location, status, body, local } = reply;
  if (GATEWAY_STATUSES.includes(status)) {
    const unreachable = await explainUnreachable(env, new Error(`it answered ${status}`), running_nodes);
    return { findings: [unreachable], of_proxies: [], has_reported: false };
  }
  const report = location === undefined ? CallerReport.safeParse(body).data : undefined;
  if (!report) {
    const other = broken(
      location === undefined
        ? `PUBLIC_URL: ${public_url} answered ${status}: another program, an older Sendlap or one with another SECRET is there, or the two clocks differ`
        : describeRedirect(public_url, location),
    );
    return { findings: [other], of_proxies: [other], has_reported: false };
  }
  const address = describeAddress(env, report);
  const [counting, ...misfits] = describeCaller(env, report, local);
  const of_proxies = [...(address.verdict === 'broken' ? [address] : []), counting].filter(
    ({ verdict }) => verdict !== 'good',
  );
  return { findings: [address, counting, ...misfits], of_proxies, has_reported: true };
}

/** Names the origin only: the path and query of a sign-in page may hold secrets, and differ in each redirect. */
function describeRedirect(public_url: string, location: string): string {
  const { origin = 'an address that cannot be read' } = URL.parse(location, public_url) ?? {};
  return origin === new URL(public_url).origin
    ? `PUBLIC_URL: ${public_url} redirects to another path of itself: let the proxy pass ${CALLER_REPORT_PATH} on to the server`
    : `PUBLIC_URL: ${public_url} redirects to ${origin}: if that is Sendlap's address, set PUBLIC_URL to it; if it is a sign-in page, let the proxy pass ${CALLER_REPORT_PATH} on to the server`;
}

async function explainUnreachable(
  { PUBLIC_URL, PORT, HOST }: PublicAddressSettings,
  error: unknown,
  running_nodes: readonly string[],
): Promise<Finding> {
  const reason = reasonOf(error);
  if (/CERT|VERIFY|ALTNAME/.test(reason)) {
    const advice = UNKNOWN_ISSUER.test(reason)
      ? 'let the server or the proxy send its chain too, or, for a CA of your own, set NODE_EXTRA_CA_CERTS to the file of its certificate'
      : 'renew it, or check TLS_CERT or that of the proxy';
    return broken(`PUBLIC_URL: the certificate at ${PUBLIC_URL} is not trusted (${reason}): ${advice}`);
  }
  if (/ENOTFOUND|EAI_AGAIN/.test(reason)) {
    return broken(`PUBLIC_URL: the name in ${PUBLIC_URL} has no address (${reason}): check it and its DNS entry`);
  }
  if (await accepts(PORT, ANY_ADDRESS.includes(HOST) ? 'localhost' : HOST)) {
    return broken(
      `PUBLIC_URL: ${PUBLIC_URL} cannot be reached from here (${reason}), though port ${PORT} (PORT) is open: check the proxy or router between them`,
    );
  }
  const advice =
    running_nodes.length > 0
      ? `start the server, or give doctor the settings of the one that runs (${running_nodes.join(', ')})`
      : 'start the server';
  return broken(
    `PORT: no server listens on port ${PORT} of ${HOST}, and ${PUBLIC_URL} cannot be reached (${reason}): ${advice}`,
  );
}

function accepts(port: number, host: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ port, host, timeout: TIMEOUT_MS });
    const end = (is_open: boolean) => {
      socket.destroy();
      resolve(is_open);
    };
    socket.once('connect', () => end(true));
    socket.once('error', () => end(false));
    socket.once('timeout', () => end(false));
  });
}

function describeAddress({ PUBLIC_URL }: PublicAddressSettings, report: CallerReport): Finding {
  const { hostname, host } = new URL(PUBLIC_URL);
  // Some proxies forward the name without its port.
  if (report.host !== host && report.host.replace(/:\d+$/, '') !== hostname) {
    return broken(
      `PUBLIC_URL: ${PUBLIC_URL} arrives as the host ${report.host}: let the proxy forward the header Host, or send X-Forwarded-Host`,
    );
  }
  if (report.version !== VERSION) {
    return lacking(`${PUBLIC_URL} answers with version ${report.version}, and this is ${VERSION}: restart the server`);
  }
  return good(`${PUBLIC_URL} is answered by ${report.node}, version ${report.version}`);
}

/** Compares the address that the server counts by with the one that the proxies reported. */
export function describeCaller(
  env: PublicAddressSettings,
  report: CallerReport,
  local: CallReply['local'],
): [Finding, ...Finding[]] {
  const misfits = report.misfits.map(({ problem, peer, at }) =>
    proxy.lacking(`TRUST_PROXY: ${problem} (from ${peer} at ${at}, logged once since the start)`),
  );
  return [describeCounting(env, report, local), ...misfits];
}

/** Whether limits count this call by the address of its caller. */
function describeCounting(env: PublicAddressSettings, report: CallerReport, local: CallReply['local']): Finding {
  const { address, peer, forwarded_for, believed, trust_proxy } = report;
  const reported = forwarded_for?.[0] === CLAIMED_ADDRESS ? forwarded_for.slice(1) : (forwarded_for ?? []);
  const is_direct = plain(peer) === plain(local.address) && report.peer_port === local.port;
  const setting = trust_proxy === null ? 'TRUST_PROXY is not set' : `TRUST_PROXY is ${trust_proxy}`;
  const facts = `${setting}, and ${countProxies(reported.length)} reported an address`;
  const advice = adviseSetting(reported.length, is_direct);
  if (address === CLAIMED_ADDRESS && isOwnCall(report, reported)) {
    return proxy.good(
      `this machine's own calls may claim addresses, because TRUST_PROXY is ${trust_proxy}; those of visitors may not`,
    );
  }
  if (address === CLAIMED_ADDRESS) {
    return proxy.broken(
      `TRUST_PROXY: clients can claim any address, so that limits count nothing: ${facts}: ${advice}`,
    );
  }
  if (forwarded_for === null) {
    return proxy.broken(
      `TRUST_PROXY: a proxy in front removes X-Forwarded-For, so that limits count all its clients as one: let it send the header`,
    );
  }
  if (believed < reported.length) {
    return proxy.broken(`TRUST_PROXY: limits count all clients of a proxy as one, ${address}: ${facts}: ${advice}`);
  }
  if (reported.length === 0 && !is_direct) return describeSilentProxy(env, peer);
  return proxy.good(`this caller has the address ${address}: ${facts}`);
}

function countProxies(count: number): string {
  if (count === 0) return 'no proxy';
  return count === 1 ? '1 proxy' : `${count} proxies`;
}

function adviseSetting(reported_count: number, is_direct: boolean): string {
  if (reported_count > 0) return `set it to ${reported_count}`;
  return is_direct ? 'unset it' : 'let the proxy send X-Forwarded-For, or unset it';
}

/** With addresses in TRUST_PROXY, a call that comes through a proxy from the proxy's own machine counts as a proxy too. */
function isOwnCall({ trust_proxy, peer }: CallerReport, [caller]: string[]): boolean {
  const is_by_address = trust_proxy !== null && !/^\d+$/.test(trust_proxy);
  return is_by_address && caller !== undefined && isLoopback(plain(caller)) && isLoopback(plain(peer));
}

/** The call arrived over another connection than this program's own, without a header that says so. */
function describeSilentProxy({ PUBLIC_URL }: PublicAddressSettings, peer: string): Finding {
  const advice = 'let the proxy send X-Forwarded-For, and set TRUST_PROXY to 1';
  if (isLoopback(plain(peer)) && !isLoopbackHost(new URL(PUBLIC_URL).hostname)) {
    return proxy.broken(
      `TRUST_PROXY: a proxy on this machine hides its callers, so that limits count all as one, ${peer}: ${advice}`,
    );
  }
  return proxy.lacking(
    `TRUST_PROXY: a proxy, a router or a container's network passes this caller on as ${peer}: if visitors arrive with that address too, limits count them as one: ${advice}`,
  );
}

/** Returns an IPv4 address without the form of IPv6. */
function plain(address: string): string {
  return address.replace(/^::ffff:/, '');
}

function isLoopback(address: string): boolean {
  return address === '::1' || address.startsWith('127.');
}
