import { createBrowser } from './browser.ts';
import { type External, type Moment, readNonce, signInAt, signsIn } from './external-sign-in.ts';
import { CLIENT, type ForgingIssuer, KEY_ID, tokens } from './forging-issuer.ts';
import { type Attack, type Group, refusedWith } from './group.ts';
import { type Claims, encode, type Header, makeKeyPair, namesSomebody, signToken } from './jwt.ts';
import { begin } from './own-sign-in.ts';

type Forge = (moment: Moment) => string | Promise<string>;

/**
 * ID tokens that an attacker between the app and the issuer forged or stored, each naming a user with an account here.
 */
export function idTokenAttacks(external: External, kept: { id_token: string }): Group {
  const { issuer } = external;
  const forgeries = { ...wrongClaims(external), ...wrongKeys(issuer), ...wrongShapes(issuer, kept) };
  return {
    name: 'ID tokens of an external issuer',
    isRefused: (answer) => refusedWith('oauth_failed')(answer) && issuer.trapped() === 0,
    attacks: Object.entries(forgeries).map(([name, forge]) => toAttack(external, name, forge)),
    honest: () => signsIn(external),
  };
}

function toAttack(external: External, name: string, forge: Forge): Attack {
  let forged = '';
  return {
    name,
    send: () =>
      signInAt(external, async (moment) => {
        forged = await forge(moment);
        return { token: tokens(forged, moment.code) };
      }),
    passesWeakCheck: () => namesSomebody(forged),
  };
}

/** Signed with the issuer's own key, so that only the claims are wrong. */
function wrongClaims({ url, issuer }: External): Record<string, Forge> {
  const now_s = Math.floor(Date.now() / 1000);
  const say =
    (more: Claims): Forge =>
    ({ nonce }) =>
      issuer.sign(issuer.claims(nonce, more));
  const { client_id } = CLIENT;
  return {
    'aud: another': say({ aud: 'another-client' }),
    'aud: missing': say({ aud: undefined }),
    'aud: a list without us': say({ aud: ['a', 'b'] }),
    'aud: a list with us and others, no azp': say({ aud: [client_id, 'another-client'] }),
    'aud: a list with us, azp another': say({ aud: [client_id, 'another-client'], azp: 'another-client' }),
    'aud: other case': say({ aud: client_id.toUpperCase() }),
    'aud: empty list': say({ aud: [] }),
    'aud: an object': say({ aud: { [client_id]: true } }),
    'azp: another': say({ azp: 'another-client' }),
    'iss: another': say({ iss: 'https://evil.example' }),
    'iss: a slash more': say({ iss: `${issuer.url}/` }),
    'iss: missing': say({ iss: undefined }),
    'iss: a list': say({ iss: [issuer.url] }),
    'exp: an hour ago': say({ exp: now_s - 3_600 }),
    'exp: missing': say({ exp: undefined }),
    'exp: a text': say({ exp: String(now_s + 300) }),
    'iat: in an hour': say({ iat: now_s + 3_600 }),
    'iat: missing': say({ iat: undefined }),
    'iat: a text': say({ iat: 'now' }),
    'nbf: in an hour': say({ nbf: now_s + 3_600 }),
    'nbf: a text': say({ nbf: 'now' }),
    'sub: missing': say({ sub: undefined }),
    'sub: empty': say({ sub: '' }),
    'sub: a number': say({ sub: 7 }),
    'sub: a list': say({ sub: ['victim'] }),
    'sub: U+0000': say({ sub: 'victim\u0000' }),
    'sub: only U+0000': say({ sub: '\u0000' }),
    'sub: a lone surrogate': say({ sub: 'victim\ud800' }),
    'sub: a line end': say({ sub: 'victim\n' }),
    'sub: 10,000 characters': say({ sub: 'x'.repeat(10_000) }),
    'nonce: missing': say({ nonce: undefined }),
    'nonce: wrong': say({ nonce: 'x'.repeat(43) }),
    'nonce: empty': say({ nonce: '' }),
    'nonce: a list': ({ nonce }) => issuer.sign(issuer.claims(nonce, { nonce: [nonce] })),
    'nonce: cut': ({ nonce }) => issuer.sign(issuer.claims(nonce.slice(0, -1))),
    'nonce: of another sign-in': async () => {
      const other = await begin(createBrowser(url));
      return issuer.sign(issuer.claims(readNonce(other.authorization_url)));
    },
    'auth_time: a text': say({ auth_time: 'now' }),
  };
}

/** Right claims, signed with something other than the issuer's signing key. */
function wrongKeys({ url, keys, claims }: ForgingIssuer): Record<string, Forge> {
  const { published, encryption, stranger } = keys;
  const p256 = makeKeyPair('p256');
  const ed25519 = makeKeyPair('ed25519');
  const sign =
    (header: Partial<Header>, key?: Parameters<typeof signToken>[2]): Forge =>
    ({ nonce }) =>
      signToken({ alg: 'RS256', kid: KEY_ID, typ: 'JWT', ...header }, claims(nonce), key);
  const trap = `${url}/trap`;
  const own = published.private_key;
  const strange = stranger.private_key;
  return {
    'alg: none': sign({ alg: 'none' }),
    'alg: None': sign({ alg: 'None' }),
    'alg: none, no kid': sign({ alg: 'none', kid: undefined }),
    'alg: none, signed all the same': sign({ alg: 'none' }, own),
    'alg: missing': sign({ alg: undefined }, own),
    'alg: a list': ({ nonce }) => `${encode({ alg: ['RS256'], kid: KEY_ID })}.${encode(claims(nonce))}.AA`,
    'alg: HS256 by the public key as PEM': sign({ alg: 'HS256' }, published.public_pem),
    'alg: HS256 by the public key as JWK': sign({ alg: 'HS256' }, JSON.stringify(published.public_jwk)),
    'alg: HS256 by the modulus': sign({ alg: 'HS256' }, Buffer.from(String(published.public_jwk.n), 'base64url')),
    'alg: HS256 by nothing': sign({ alg: 'HS256' }, ''),
    'alg: HS256 by the client id': sign({ alg: 'HS256' }, CLIENT.client_id),
    'alg: PS256 with a signature of RS256': sign({ alg: 'PS256' }, own),
    'alg: ES256 by a stranger': sign({ alg: 'ES256' }, p256.private_key),
    'alg: EdDSA by a stranger': sign({ alg: 'EdDSA' }, ed25519.private_key),
    'alg: RS512 with a signature of RS256': sign({ alg: 'RS512' }, own),
    'signature: a stranger’s': sign({}, strange),
    'signature: a stranger’s, no kid': sign({ kid: undefined }, strange),
    'signature: by the key for encryption': sign({ kid: 'encryption' }, encryption.private_key),
    'signature: by the key for encryption under the other kid': sign({}, encryption.private_key),
    'kid: unknown': sign({ kid: 'unknown' }, own),
    'kid: unknown, by a stranger': sign({ kid: 'unknown' }, strange),
    'kid: a path': sign({ kid: '../../../dev/null' }, ''),
    'kid: a number': sign({ kid: 7 as unknown as string }, own),
    'header: jku': sign({ jku: trap }, strange),
    'header: jku and its kid': sign({ jku: trap, kid: 'trap' }, strange),
    'header: x5u': sign({ x5u: trap }, strange),
    'header: x5c': sign({ x5c: [stranger.public_pem.replace(/-.*-|\n/g, '')] }, strange),
    'header: jwk': sign({ jwk: stranger.public_jwk }, strange),
    'header: jwk without kid': sign({ jwk: stranger.public_jwk, kid: undefined }, strange),
    'header: crit': sign({ crit: ['evil'], evil: true }, own),
    'header: crit b64': sign({ crit: ['b64'], b64: false }, own),
    'header: crit empty': sign({ crit: [] }, own),
  };
}

/** Texts that are not tokens, changed tokens, and good ones of another purpose or time. */
function wrongShapes(issuer: ForgingIssuer, kept: { id_token: string }): Record<string, Forge> {
  const good = (nonce: string, more?: Claims) => issuer.sign(issuer.claims(nonce, more));
  const change =
    (edit: (parts: string[], nonce: string) => string[]): Forge =>
    ({ nonce }) =>
      edit(good(nonce, { sub: 'attacker' }).split('.'), nonce).join('.');
  return {
    'changed: another sub under the signature': change(([h = '', , s = ''], nonce) => [
      h,
      encode(issuer.claims(nonce)),
      s,
    ]),
    'changed: no signature': change(([h = '', p = '']) => [h, p, '']),
    'changed: two parts': change(([h = '', p = '']) => [h, p]),
    'changed: four parts': change((parts) => [...parts, 'x']),
    'changed: five parts, as if encrypted': change(([h = '', p = '', s = '']) => [h, '', p, '', s]),
    'changed: one character of the signature': change(([h = '', p = '', s = '']) => [h, p, flipFirst(s)]),
    'changed: signature cut': change(([h = '', p = '', s = '']) => [h, p, s.slice(0, -8)]),
    'changed: payload no JSON': change(([h = '', , s = '']) => [h, Buffer.from('{').toString('base64url'), s]),
    'changed: payload a list': change(([h = '', , s = '']) => [h, encode([]), s]),
    'changed: payload null': change(([h = '', , s = '']) => [h, encode(null), s]),
    'changed: header null': change(([, p = '', s = '']) => [encode(null), p, s]),
    'changed: header no base64': change(([, p = '', s = '']) => ['***', p, s]),
    'no token at all': () => 'x',
    'an empty text': () => '',
    'U+0000': () => '\u0000.\u0000.\u0000',
    'kept from another sign-in': () => kept.id_token,
    'an access token of the issuer': () => {
      const { nonce: _none, ...claims } = issuer.claims('');
      return signToken({ alg: 'RS256', kid: KEY_ID, typ: 'at+jwt' }, claims, issuer.keys.published.private_key);
    },
    'a logout token of the issuer': () => {
      const { nonce: _none, ...claims } = issuer.claims('');
      const events = { 'http://schemas.openid.net/event/backchannel-logout': {} };
      return issuer.sign({ ...claims, events, jti: 'x' });
    },
  };
}

function flipFirst(text: string): string {
  return (text.startsWith('A') ? 'B' : 'A') + text.slice(1);
}
