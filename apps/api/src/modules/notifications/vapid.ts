import type { Database } from '#api/platform/database.ts';
import type { Secrets } from '#api/platform/secrets.ts';
import { loadSigningKeys } from '#api/platform/signing-keys.ts';

/** How push services know this server (RFC 8292). Keys are raw and in base64url. */
export interface Vapid {
  /** https: or mailto: address of whoever runs this server. */
  subject: string;
  /** An uncompressed point of P-256. */
  public_key: string;
  private_key: string;
}

interface VapidOptions {
  database: Database;
  secrets: Secrets;
  public_url: string;
  mail_from: string | undefined;
}

/** The server's own keys, made when there are none. Browsers subscribe with the public one, so they never change. */
export async function loadVapid({ database, secrets, public_url, mail_from }: VapidOptions): Promise<Vapid> {
  const [{ x = '', y = '', d = '' }] = await loadSigningKeys({ database, secrets, purpose: 'push', alg: 'ES256' });
  const point = Buffer.concat([Buffer.of(4), Buffer.from(x, 'base64url'), Buffer.from(y, 'base64url')]);
  return { subject: subjectOf(public_url, mail_from), public_key: point.toString('base64url'), private_key: d };
}

/** Push services take no http address, which a server on this machine alone has. */
function subjectOf(public_url: string, mail_from: string | undefined): string {
  if (public_url.startsWith('https:')) return public_url;
  const [address] = /[^\s<>"]+@[^\s<>"]+/.exec(mail_from ?? '') ?? ['operator@localhost'];
  return `mailto:${address}`;
}
