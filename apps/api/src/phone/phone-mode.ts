import type { RequestListener } from 'node:http';
import { isIPv4 } from 'node:net';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { renderUnicodeCompact } from 'uqr';
import type { TlsPair } from '../http/listening/tls.ts';
import { type Env, readEnv } from '../platform/env.ts';
import { isLocalHost } from '../platform/local-hosts.ts';
import { StartError } from '../platform/start-error.ts';
import { createGuide, shortFingerprint } from './guide.ts';
import { findLocalAddress, listLocalHosts } from './local-address.ts';
import { issueCertificate, openLocalCa } from './local-ca.ts';

const ALL_INTERFACES = ['0.0.0.0', '::'];
const HTTPS_PORT = 443;
/** Settings that conflict with `--phone`. */
const CONFLICTING_SETTINGS = ['TLS_CERT', 'TLS_KEY', 'ACME_EMAIL', 'TRUST_PROXY'] as const;

export interface PhoneMode {
  tls: TlsPair;
  onPlainHttp: RequestListener;
  /** Plain http: where a phone learns to trust this server. */
  guide_url: string;
  /** What the terminal prints: the address, its QR code, and the certificate's fingerprint. */
  instructions: string;
}

/**
 * Reads the settings for `--phone`: https on all interfaces, at this machine's address in the local network. Throws a
 * StartError that names the setting that prevents it.
 */
export async function readPhoneEnv(variables: Record<string, string | undefined>): Promise<Env> {
  const conflict = CONFLICTING_SETTINGS.find((name) => variables[name]);
  if (conflict)
    throw new StartError(`${conflict}: remove it, --phone has a certificate of its own and no proxy in front`);
  const env = readEnv(variables);
  const HOST = variables.HOST || '0.0.0.0';
  const PUBLIC_URL = variables.PUBLIC_URL ? env.PUBLIC_URL : `https://${await findHost(HOST)}:${env.PORT}`;
  const { protocol, hostname: host, origin, port } = new URL(PUBLIC_URL);
  if (protocol !== 'https:') throw new StartError('PUBLIC_URL: must be https with --phone');
  if (!isLocalHost(host)) {
    throw new StartError(
      `PUBLIC_URL: --phone is for a local network, and ${host} is not in one: set ACME_EMAIL or TLS_CERT instead`,
    );
  }
  const public_port = Number(port || HTTPS_PORT);
  if (public_port !== env.PORT) {
    throw new StartError(
      `PORT: set it to ${public_port}, the port of PUBLIC_URL, or set PUBLIC_URL to https://${host}:${env.PORT}`,
    );
  }
  return { ...env, HOST, PUBLIC_URL: origin };
}

/** Returns the host at which phones reach the server that listens at `listen_host`. */
async function findHost(listen_host: string): Promise<string> {
  if (!ALL_INTERFACES.includes(listen_host)) {
    if (isLocalHost(listen_host)) return listen_host;
    throw new StartError(
      `HOST: --phone needs an IPv4 address or a name of a local network, such as 192.168.1.20 or laptop.local`,
    );
  }
  const address = await findLocalAddress();
  if (address !== undefined) return address;
  throw new StartError(
    'HOST: --phone found no network on this machine: connect it to the phone’s Wi-Fi, or set HOST to its address there',
  );
}

/** Opens the local CA in `data_dir`, issues this start's certificate, and prepares the guide for phones. */
export async function openPhoneMode({ PUBLIC_URL, PORT }: Env, data_dir: string, now = new Date()): Promise<PhoneMode> {
  const ca = await openLocalCa(join(data_dir, 'phone'), hostname().replace(/\..*$/, ''), now);
  const { hostname: host } = new URL(PUBLIC_URL);
  const tls = issueCertificate(ca, [...new Set([host, ...listLocalHosts()])], now);
  // Plain http at the same port. A URL omits only the usual port of its own scheme: http omits 80, not 443.
  const guide_url = new URL(`http://${host}:${PORT}`).origin;
  const other_addresses = listLocalHosts().filter((each) => isIPv4(each) && each !== host && !each.startsWith('127.'));
  const instructions = [
    '',
    `On a phone in the same network, scan this or open ${guide_url}`,
    '',
    renderUnicodeCompact(guide_url, { border: 2 }),
    '',
    `Its certificate: ${ca.name}, SHA-256 begins ${shortFingerprint(ca.fingerprint)}`,
    ...(other_addresses.length > 0
      ? [
          `If the phone cannot reach it, start with HOST set to another address of this machine: ${other_addresses.join(', ')}`,
        ]
      : []),
    '',
  ].join('\n');
  return { tls, onPlainHttp: createGuide({ ca, public_url: PUBLIC_URL }), guide_url, instructions };
}
