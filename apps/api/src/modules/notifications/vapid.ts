import { importJWK, SignJWT } from 'jose';
import type { Database } from '#api/database/database.ts';
import type { Secrets } from '#api/database/secrets.ts';
import { loadSigningKeys, type SigningKey } from '#api/database/signing-keys.ts';

const ALG = 'ES256';
/** Push services refuse tokens valid for more than a day (RFC 8292). */
const TOKEN_LIFETIME = '12h';

export type Vapid = Awaited<ReturnType<typeof createVapid>>;

interface VapidOptions {
  database: Database;
  secrets: Secrets;
  public_url: string;
  mail_from: string | undefined;
}

/** Loads the server's own key; creates it if missing. Browsers subscribe with its public part, so it never changes. */
export async function loadVapid({ database, secrets, public_url, mail_from }: VapidOptions): Promise<Vapid> {
  const [jwk] = await loadSigningKeys({ database, secrets, purpose: 'push', alg: ALG });
  return createVapid(jwk, subjectOf(public_url, mail_from));
}

/** Identifies this server to push services (RFC 8292). `subject`: an https: or mailto: address of the operator. */
export async function createVapid(jwk: SigningKey, subject: string) {
  const { x = '', y = '' } = jwk;
  const point = Buffer.concat([Buffer.of(4), Buffer.from(x, 'base64url'), Buffer.from(y, 'base64url')]);
  const public_key = point.toString('base64url');
  const key = await importJWK(jwk, ALG);
  return {
    /** An uncompressed point of P-256, base64url. */
    public_key,
    /** Returns the `authorization` header for requests to this origin. */
    async authorizationFor(origin: string): Promise<string> {
      const token = await new SignJWT()
        .setProtectedHeader({ alg: ALG, typ: 'JWT' })
        .setAudience(origin)
        .setSubject(subject)
        .setExpirationTime(TOKEN_LIFETIME)
        .sign(key);
      return `vapid t=${token}, k=${public_key}`;
    },
  };
}

/** Push services accept no http address, which only a local server has. */
function subjectOf(public_url: string, mail_from: string | undefined): string {
  if (public_url.startsWith('https:')) return public_url;
  const [address] = /[^\s<>"]+@[^\s<>"]+/.exec(mail_from ?? '') ?? ['operator@localhost'];
  return `mailto:${address}`;
}
