import { createHmac, createPublicKey, randomUUID } from 'node:crypto';
import { createBrowser } from './browser.ts';
import { type Attack, type Group, refusedWith } from './group.ts';
import { ask } from './http.ts';
import {
  type Claims,
  encode,
  type Header,
  importPrivateKey,
  type Jwk,
  makeKeyPair,
  namesSomebody,
  readWithoutChecking,
  signToken,
} from './jwt.ts';

const ME = '/v1/auth/me';
const STREAM = '/v1/events';

interface Context {
  url: string;
  /**
   * The server's own private key for access tokens: with it the signature is right, so other checks must find the
   * fault.
   */
  own_key: Jwk & { kid: string };
  /** The key of the own provider's ID tokens. */
  provider_key: Jwk & { kid: string };
  /** A token of a live session. */
  token: string;
  /** Another user's token. */
  other_token: string;
  /** Tokens that were valid once. */
  ended: Record<string, string>;
}

/** Bearer tokens that the server did not issue, or not for this purpose. */
export function accessTokenAttacks(context: Context): Group {
  const { url, token } = context;
  const tokens = { ...wrongClaims(context), ...wrongKeys(context), ...tampered(context), ...context.ended };
  return {
    name: 'access tokens',
    isRefused: refusedWith('unauthenticated'),
    attacks: [
      ...Object.entries(tokens).flatMap(([name, forged]) => [
        bearer(url, ME, name, forged),
        bearer(url, STREAM, `${name}, for the event stream`, forged),
      ]),
      ...otherPlaces(context),
    ],
    honest: async () => (await bearer(url, ME, 'honest', token).send()).status === 200,
  };
}

function bearer(url: string, path: string, name: string, token: string): Attack {
  return {
    name,
    send: () => createBrowser(url).get(path, { headers: { authorization: `Bearer ${token}` } }),
    passesWeakCheck: () => namesSomebody(token),
  };
}

function partsOf(token: string): { header: Header; claims: Claims; signature: string } {
  const [header = '', , signature = ''] = token.split('.');
  return {
    header: JSON.parse(Buffer.from(header, 'base64url').toString()) as Header,
    claims: readWithoutChecking(token) ?? {},
    signature,
  };
}

/** Signed with the server's own key: tokens of another purpose, and tokens that the server could issue by mistake. */
function wrongClaims({ token, own_key }: Context): Record<string, string> {
  const { header, claims } = partsOf(token);
  const key = importPrivateKey(own_key);
  const now_s = Math.floor(Date.now() / 1000);
  const make = (more: Claims, more_header: Partial<Header> = {}) =>
    signToken({ ...header, ...more_header }, { ...claims, ...more }, key);
  const without = (name: string) => make({ [name]: undefined });
  return {
    'iss: another': make({ iss: 'https://evil.example' }),
    'iss: missing': without('iss'),
    'iss: other case': make({ iss: 'Sendlap' }),
    'aud: another': make({ aud: 'another-api' }),
    'aud: missing': without('aud'),
    'aud: a list without us': make({ aud: ['a', 'b'] }),
    'typ of the header: JWT': make({}, { typ: 'JWT' }),
    'typ of the header: missing': make({}, { typ: undefined }),
    'typ of the header: logout+jwt': make({}, { typ: 'logout+jwt' }),
    'typ of the claims: refresh': make({ typ: 'refresh' }),
    'typ of the claims: missing': without('typ'),
    'kid: missing': make({}, { kid: undefined }),
    'kid: unknown': make({}, { kid: randomUUID() }),
    'kid: a path': make({}, { kid: '../../dev/null' }),
    'kid: SQL': make({}, { kid: "' or '1'='1" }),
    'kid: 8,000 characters': make({}, { kid: 'x'.repeat(8_000) }),
    'exp: a second ago': make({ exp: now_s - 1 }),
    'exp: a day ago': make({ exp: now_s - 86_400 }),
    'exp: missing': without('exp'),
    'exp: a text': make({ exp: '9999999999' }),
    'exp: null': make({ exp: null }),
    'nbf: in an hour': make({ nbf: now_s + 3_600 }),
    'sub: missing': without('sub'),
    'sub: a number': make({ sub: 7 }),
    'sid: missing': without('sid'),
    'sid: a number': make({ sid: 7 }),
    'sid: null': make({ sid: null }),
    'gen: missing': without('gen'),
    'crit: unknown': make({}, { crit: ['evil'], evil: 1 }),
    'b64: false': make({}, { crit: ['b64'], b64: false }),
  };
}

/** Right claims, signed with another key. */
function wrongKeys({ token, own_key, provider_key }: Context): Record<string, string> {
  const { header, claims, signature } = partsOf(token);
  const stranger = makeKeyPair('ed25519');
  const p256 = makeKeyPair('p256');
  const rsa = makeKeyPair('rsa');
  const { d: _private, ...public_jwk } = own_key;
  const pem = createPublicKey({ key: public_jwk, format: 'jwk' }).export({ format: 'pem', type: 'spki' }).toString();
  const x = Buffer.from(String(own_key.x), 'base64url');
  const hs256 = (secret: string | Buffer) => signToken({ ...header, alg: 'HS256' }, claims, secret);
  const none = (alg: string) => signToken({ ...header, alg }, claims);
  const strange = (more: Partial<Header>) => signToken({ ...header, ...more }, claims, stranger.private_key);
  return {
    'alg: none': none('none'),
    'alg: None': none('None'),
    'alg: NONE with our signature': `${none('NONE')}${signature}`,
    'alg: none and x as the signature': `${none('none')}eA`,
    'alg: HS256 by our public key as PEM': hs256(pem),
    'alg: HS256 by our public key as bytes': hs256(x),
    'alg: HS256 by our public key as JWK': hs256(JSON.stringify(public_jwk)),
    'alg: HS256 by nothing': hs256(''),
    'alg: ES256 by a stranger': signToken({ ...header, alg: 'ES256' }, claims, p256.private_key),
    'alg: ES256 of our provider': signToken(
      { ...header, alg: 'ES256', kid: provider_key.kid },
      claims,
      importPrivateKey(provider_key),
    ),
    'alg: RS256 by a stranger': signToken({ ...header, alg: 'RS256' }, claims, rsa.private_key),
    'alg: missing': strange({ alg: undefined }),
    'key: a stranger’s': strange({}),
    'key: a stranger’s, brought in the header': strange({ jwk: stranger.public_jwk }),
    'key: a stranger’s, by address': strange({ jku: 'https://evil.example/jwks.json' }),
    'key: a stranger’s certificate': strange({ x5u: 'https://evil.example/cert.pem', x5c: ['MIIB'] }),
    'signature: of other bytes': `${encode(header)}.${encode(claims)}.${createHmac('sha512', 'x').update('x').digest('base64url')}`,
    'signature: all zero': `${encode(header)}.${encode(claims)}.${Buffer.alloc(64).toString('base64url')}`,
  };
}

/** A good token, changed. */
function tampered({ token, other_token }: Context): Record<string, string> {
  const { header, claims, signature } = partsOf(token);
  const other = partsOf(other_token).claims;
  const keep = (more: Claims) => `${encode(header)}.${encode({ ...claims, ...more })}.${signature}`;
  const [head = '', payload = '', end = ''] = token.split('.');
  return {
    'changed: another’s sub with the own sid': keep({ sub: other.sub }),
    'changed: another’s sid with the own sub': keep({ sid: other.sid }),
    'changed: an unknown sid': keep({ sid: randomUUID() }),
    'changed: exp in a year': keep({ exp: Number(claims.exp) + 31_536_000 }),
    'changed: another’s claims': `${head}.${other_token.split('.')[1]}.${end}`,
    'changed: one bit of the signature': `${head}.${payload}.${end.startsWith('A') ? 'B' : 'A'}${end.slice(1)}`,
    'changed: signature cut': `${head}.${payload}.${end.slice(0, -4)}`,
    'changed: no signature': `${head}.${payload}.`,
    'changed: no dot after the payload': `${head}.${payload}`,
    'changed: a fourth part': `${token}.x`,
    'changed: five parts': `${head}.x.${payload}.x.${end}`,
    'changed: padded': `${token}=`,
    'changed: padded inside': `${head}=.${payload}.${end}`,
    'changed: upper case': token.toUpperCase(),
    'changed: a space inside': `${head}. ${payload}.${end}`,
    'changed: a comma after it': `${token},`,
    'changed: in quotes': `"${token}"`,
    'changed: twice': `${token} ${token}`,
    'changed: 12,000 characters more': `${token}${'A'.repeat(12_000)}`,
  };
}

/** The right token in the wrong place, or next to a wrong one. */
function otherPlaces(context: Context): Attack[] {
  const { url, token } = context;
  const forged = wrongKeys(context)['key: a stranger’s'] ?? '';
  const get = (name: string, path: string, headers: [string, string][]): Attack => ({
    name,
    send: () => ask(url + path, { headers }),
  });
  const scheme = (value: string) => get(`scheme: ${value.replace(token, '…')}`, ME, [['authorization', value]]);
  return [
    get('nothing', ME, []),
    get('in the query', `${ME}?access_token=${token}`, []),
    get('in the query as token', `${ME}?token=${token}`, []),
    get('in the query of the event stream', `${STREAM}?access_token=${token}`, []),
    get('in a cookie', ME, [['cookie', `access_token=${token}; __Host-sendlap_access=${token}`]]),
    get('in X-Authorization', ME, [['x-authorization', `Bearer ${token}`]]),
    get('in Proxy-Authorization', ME, [['proxy-authorization', `Bearer ${token}`]]),
    get('a forged one before the right one', ME, [
      ['authorization', `Bearer ${forged}`],
      ['authorization', `Bearer ${token}`],
    ]),
    get('both in one header', ME, [['authorization', `Bearer ${forged}, Bearer ${token}`]]),
    ...[token, `Basic ${token}`, `DPoP ${token}`, `Bearer`, `Bearer `, `Bearer  ${token}`, `Bearer\t${token}`].map(
      scheme,
    ),
    ...[`Bearer:${token}`, `Bearer=${token}`, `Bearer ${token} x`, `BearerBearer ${token}`].map(scheme),
  ];
}
