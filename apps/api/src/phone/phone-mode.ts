import type { RequestListener } from 'node:http';
import { isIPv4 } from 'node:net';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { renderUnicodeCompact } from 'uqr';
import type { TlsPair } from '../http/listening/tls.ts';
import { type Env, readEnv } from '../platform/env.ts';
import { isLocalHost } from '../platform/local-hosts.ts';
import { StartError } from '../platform/start-error.ts';
import { issueCertificate, openAuthority } from './authority.ts';
import { createGuide, shortFingerprint } from './guide.ts';
import { findLocalAddress, listLocalHosts } from './local-address.ts';

const ALL_INTERFACES = ['0.0.0.0', '::'];
/** What `--phone` decides itself. */
const UNUSED_SETTINGS = ['TLS_CERT', 'TLS_KEY', 'ACME_EMAIL', 'TRUST_PROXY'] as const;

export interface PhoneMode {
  tls: TlsPair;
  onPlainHttp: RequestListener;
  /** What the terminal prints: the address, its QR code, and the certificate's fingerprint. */
  instructions: string;
}

/**
 * Reads the settings for `--phone`: https on all interfaces, at this machine's address in the local network. Throws a
 * StartError that names the setting that prevents it.
 */
export async function readPhoneEnv(variables: Record<string, string | undefined>): Promise<Env> {
  const env = readEnv(variables);
  const unused = UNUSED_SETTINGS.find((name) => env[name] !== undefined);
  if (unused) throw new StartError(`${unused}: start without it, --phone makes a certificate of its own`);
  const HOST = variables.HOST ? env.HOST : '0.0.0.0';
  const PUBLIC_URL = variables.PUBLIC_URL ? env.PUBLIC_URL : `https://${await findHost(HOST)}:${env.PORT}`;
  const { protocol, hostname: host, origin } = new URL(PUBLIC_URL);
  if (protocol !== 'https:') throw new StartError('PUBLIC_URL: must be https with --phone');
  if (!isLocalHost(host)) {
    throw new StartError(
      `PUBLIC_URL: --phone is for a local network, and ${host} is not in one: set TLS_CERT and TLS_KEY for it instead`,
    );
  }
  return { ...env, HOST, PUBLIC_URL: origin };
}

async function findHost(listen_host: string): Promise<string> {
  if (!ALL_INTERFACES.includes(listen_host)) return listen_host;
  const address = await findLocalAddress();
  if (address !== undefined) return address;
  throw new StartError(
    'HOST: --phone found no network on this machine: connect it to the phone’s Wi-Fi, or set HOST to its address there',
  );
}

/** Opens the authority in `data_dir`, issues this start's certificate, and prepares the guide for phones. */
export async function openPhoneMode({ PUBLIC_URL }: Env, data_dir: string, now = new Date()): Promise<PhoneMode> {
  const authority = await openAuthority(join(data_dir, 'phone'), hostname().replace(/\..*$/, ''), now);
  const { hostname: host } = new URL(PUBLIC_URL);
  const tls = issueCertificate(authority, [...new Set([host, ...listLocalHosts()])], now);
  const guide_url = PUBLIC_URL.replace(/^https:/, 'http:');
  const others = listLocalHosts().filter((each) => isIPv4(each) && each !== host && !each.startsWith('127.'));
  const instructions = [
    '',
    `On a phone in the same network, scan this or open ${guide_url}`,
    '',
    renderUnicodeCompact(guide_url),
    '',
    `Its certificate: ${authority.name}, ${shortFingerprint(authority.fingerprint)}`,
    ...(others.length > 0
      ? [`If the phone cannot reach it, start with HOST set to another address of this machine: ${others.join(', ')}`]
      : []),
    '',
  ].join('\n');
  return { tls, onPlainHttp: createGuide({ authority, public_url: PUBLIC_URL }), instructions };
}
