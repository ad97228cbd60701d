import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type CryptoKey, exportJWK, generateKeyPair, type JWTHeaderParameters, type JWTPayload, SignJWT } from 'jose';

type Endpoint = 'discovery' | 'jwks' | 'token' | 'userinfo';
type Answer = (response: ServerResponse) => void;

export interface CrookedIssuer {
  issuer: string;
  /** The claims that an honest issuer would put into an ID token for this client and nonce. */
  claims: JWTPayload;
  /** By default signed with the key that the issuer publishes. */
  sign(claims: JWTPayload, header?: Partial<JWTHeaderParameters>, key?: CryptoKey | Uint8Array): Promise<string>;
  /** The published key as text, for attacks that use it as a shared secret. */
  public_key: string;
  /** Overrides the answers of endpoints. */
  answers: Partial<Record<Endpoint, Answer>>;
  /** Makes the token endpoint return this token. */
  giveIdToken(id_token: string): void;
  close(): Promise<void>;
}

export function json(body: unknown, status = 200): Answer {
  return (response) => response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

/** A hand-made issuer that says whatever a test wants; its discovery document offers every algorithm there is. */
export async function startCrookedIssuer(client_id: string, nonce: string): Promise<CrookedIssuer> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { privateKey, publicKey } = await generateKeyPair('ES256', { extractable: true });
  const public_jwk = { ...(await exportJWK(publicKey)), kid: 'one', use: 'sig', alg: 'ES256' };
  const answers: CrookedIssuer['answers'] = {};
  const usual: Record<Endpoint, Answer> = {
    discovery: json({
      issuer,
      authorization_endpoint: `${issuer}/auth`,
      token_endpoint: `${issuer}/token`,
      userinfo_endpoint: `${issuer}/userinfo`,
      jwks_uri: `${issuer}/jwks`,
      id_token_signing_alg_values_supported: ['none', 'HS256', 'RS256', 'ES256', 'EdDSA'],
    }),
    jwks: json({ keys: [public_jwk] }),
    token: json({}, 500),
    userinfo: json({ sub: 'grace' }),
  };
  server.on('request', ({ url = '' }, response) => {
    const endpoint = url.startsWith('/.well-known/') ? 'discovery' : (url.slice(1) as Endpoint);
    (answers[endpoint] ?? usual[endpoint])?.(response);
  });
  return {
    issuer,
    claims: { iss: issuer, aud: client_id, sub: 'grace', nonce, email: 'grace@elsewhere.example', name: 'Grace' },
    sign: (claims, header, key = privateKey) =>
      new SignJWT({ iat: seconds(), exp: seconds() + 60, ...claims })
        .setProtectedHeader({ alg: 'ES256', kid: 'one', ...header })
        .sign(key),
    public_key: JSON.stringify(public_jwk),
    answers,
    giveIdToken(id_token) {
      answers.token = json({ access_token: 'opaque', token_type: 'Bearer', expires_in: 60, id_token });
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function seconds(): number {
  return Math.floor(Date.now() / 1000);
}
