import { createBrowser } from './browser.ts';
import { type External, type Moment, signInAt, signsIn } from './external-sign-in.ts';
import { json, type Respond, tokens } from './forging-issuer.ts';
import { type Attack, type Group, refusedWith } from './group.ts';
import type { Answer } from './http.ts';
import { AUTHORIZE } from './own-sign-in.ts';

const MEGABYTE = 1_048_576;
const DRIP_MS = 200;
const FLOOD_MB = 128;

const raw =
  (status: number, headers: Record<string, string>, body: string): Respond =>
  (response) =>
    response.writeHead(status, headers).end(body);
const text = (body: string, type = 'application/json', status = 200) => raw(status, { 'content-type': type }, body);
const redirect = (status: number, to: string) => raw(status, { location: to }, '');
const hangUp: Respond = (response) => response.destroy();

/** One byte now and then, endlessly. */
const drip: Respond = (response) => {
  response.writeHead(200, { 'content-type': 'application/json' });
  const timer = setInterval(() => response.write(' '), DRIP_MS);
  response.on('close', () => clearInterval(timer));
};

/**
 * Sends as much as the client reads, up to a limit that this machine can bear if the client stores all of it; then
 * nothing.
 */
const flood: Respond = (response) => {
  response.writeHead(200, { 'content-type': 'application/json' });
  const chunk = ' '.repeat(MEGABYTE);
  let left_mb = FLOOD_MB;
  const write = (): void => {
    if (response.destroyed || left_mb === 0) return;
    left_mb -= 1;
    if (response.write(chunk)) setImmediate(write);
    else response.once('drain', write);
  };
  write();
};

/** Replies as for a good sign-in, so that only the added fault can be refused. */
function tokenReplies({ issuer }: External): Record<string, (moment: Moment) => Respond> {
  const id = ({ nonce }: Moment) => issuer.sign(issuer.claims(nonce));
  const trap = `${issuer.url}/trap`;
  const body = (more: (m: Moment) => object) => (m: Moment) =>
    json({ access_token: m.code, token_type: 'Bearer', expires_in: 300, id_token: id(m), ...more(m) });
  const same = (respond: Respond) => () => respond;
  return {
    HTML: same(text('<h1>Hello</h1>', 'text/html')),
    'HTML that says JSON': same(text('<h1>Hello</h1>')),
    'JSON that says HTML': (m) => text(JSON.stringify({ id_token: id(m), access_token: 'x' }), 'text/html'),
    'an empty body': same(text('')),
    'a list': same(json([])),
    null: same(json(null)),
    'half a JSON': same(text('{"access_token":"x","id_tok')),
    'status 201': (m) => json({ access_token: m.code, token_type: 'Bearer', id_token: id(m) }, 201),
    'status 204': same(raw(204, {}, '')),
    'status 400 with an error': same(json({ error: 'invalid_grant', error_description: 'no <b>' }, 400)),
    'status 400 in HTML': same(text('no', 'text/html', 400)),
    'status 401': same(raw(401, { 'www-authenticate': 'Basic realm="x"' }, '')),
    'status 403': same(json({ error: 'access_denied' }, 403)),
    'status 429': same(json({ error: 'slow_down' }, 429)),
    'status 500': same(text('oops', 'text/plain', 500)),
    'status 500 in JSON': same(json({ error: 'server_error' }, 500)),
    'status 503': same(raw(503, { 'retry-after': '86400' }, '')),
    'a redirect elsewhere (302)': same(redirect(302, trap)),
    'a redirect elsewhere that repeats the post (307)': same(redirect(307, trap)),
    'a redirect to itself (308)': same(redirect(308, `${issuer.url}/token`)),
    'hangs up': same(hangUp),
    'says nothing': same(() => {}),
    'one byte now and then': same(drip),
    'bytes without end': same(flood),
    '16 MB around a good token': (m) => body(() => ({ filler: 'x'.repeat(16 * MEGABYTE) }))(m),
    'no ID token': body(() => ({ id_token: undefined })),
    'a number as ID token': body(() => ({ id_token: 7 })),
    'no access token': body(() => ({ access_token: undefined })),
    'a list as access token': body(() => ({ access_token: ['x'] })),
    'no token type': body(() => ({ token_type: undefined })),
    'another token type': body(() => ({ token_type: 'mac' })),
    'expires_in a text': body(() => ({ expires_in: 'soon' })),
  };
}

/** Faults of the issuer's token endpoint: no user can sign in during one, and every user can right after it. */
export function brokenReplies(external: External): Group {
  const { issuer } = external;
  return {
    name: 'token replies of a broken issuer',
    allows_503: true,
    isRefused: (answer) => (isUnavailable(answer) || refusedWith('oauth_failed')(answer)) && issuer.trapped() === 0,
    attacks: Object.entries(tokenReplies(external)).map(
      ([name, reply]): Attack => ({
        name,
        send: () => signInAt(external, (moment) => ({ token: reply(moment) })),
      }),
    ),
    honest: () => signsIn(external),
  };
}

/**
 * Userinfo and claims that imitate another user: the user may sign in, as themselves and without taking anything over.
 */
export function foreignIdentities(external: External, victim: { id: string }): Group {
  const { issuer } = external;
  const without_email = { email: undefined, name: undefined };
  const asked = (userinfo: Respond) => (m: Moment) => ({
    token: tokens(issuer.sign(issuer.claims(m.nonce, { sub: 'attacker', ...without_email })), m.code),
    userinfo,
  });
  const said = (more: object) => (m: Moment) => ({
    token: tokens(issuer.sign(issuer.claims(m.nonce, { sub: `attacker ${m.code}`, ...more })), m.code),
  });
  const stolen = { email: 'victim@elsewhere.example', name: 'Victim' };
  const cases: Record<string, Parameters<typeof signInAt>[1]> = {
    'userinfo: of another sub': asked(json({ sub: 'victim', ...stolen })),
    'userinfo: without sub': asked(json(stolen)),
    'userinfo: sub in a list': asked(json({ sub: ['attacker'], ...stolen })),
    'userinfo: no JSON': asked(text('<h1>', 'text/html')),
    'userinfo: 500': asked(text('', 'text/plain', 500)),
    'userinfo: a redirect': asked(redirect(302, `${issuer.url}/trap`)),
    'userinfo: hangs up': asked(hangUp),
    'userinfo: says nothing': asked(() => {}),
    'claims: a sub inside the claims of userinfo': asked(json({ sub: 'attacker', id: victim.id, user_id: victim.id })),
    'claims: an unknown field': said({ ...without_email, id: victim.id, is_admin: true }),
    'claims: the e-mail a list': said({ email: ['victim@elsewhere.example'] }),
    'claims: the e-mail an object': said({ email: { toString: 'x' } }),
    'claims: the name U+0000': said({ email: 'a@b.example', name: '\u0000' }),
    'claims: the name a lone surrogate': said({ email: 'a@b.example', name: '\ud800' }),
    'claims: a name of 500,000 characters': said({ email: 'a@b.example', name: 'x'.repeat(500_000) }),
    'claims: an e-mail of 500,000 characters': said({ email: `${'x'.repeat(500_000)}@b.example` }),
    'claims: markup': said({ email: 'a@b.example', name: '<img src=x onerror=alert(1)>' }),
    'claims: the victim’s e-mail, verified': said({ ...stolen, email_verified: true }),
  };
  return {
    name: 'identities of an external issuer',
    allows_503: true,
    isRefused: (answer) => isOnlyThemselves(answer, victim.id) && issuer.trapped() === 0,
    attacks: Object.entries(cases).map(
      ([name, answers]): Attack => ({
        name,
        send: async () => hideTokens(await signInAt(external, answers)),
      }),
    ),
    honest: () => signsIn(external),
  };
}

/** Signing in as oneself is allowed here; only the rest of the reply is judged. */
function hideTokens(answer: Answer): Answer {
  return { ...answer, body: answer.body.replaceAll('"access_token"', '"token"'), set_cookies: [] };
}

function isOnlyThemselves({ status, code, data }: Answer, victim_id: string): boolean {
  if (status !== 200) return status === 400 && code === 'oauth_failed';
  const { id, email, name } = (data.user ?? {}) as Record<string, unknown>;
  return id !== victim_id && isShort(email, 320) && isShort(name, 200);
}

function isShort(value: unknown, max: number): boolean {
  return typeof value === 'string' && value.length <= max && value.isWellFormed() && !value.includes('\u0000');
}

function isUnavailable({ status, code, header }: Answer): boolean {
  return status === 503 && code === 'provider_unavailable' && header('retry-after') !== undefined;
}

/** The issuer's name differs from the operator's setting: this is not an outage, and a retry does not help. */
function isSetWrongly({ status, code, body }: Answer): boolean {
  return status === 400 && code === 'oauth_failed' && body.includes('"path":"setting"');
}

/** Runs before any good answer: discovery documents that must be neither trusted nor cached. */
export function discoveryAttacks({ url, issuer }: External, restart: () => Promise<unknown>): Group {
  const claim = (more: object) => json({ ...issuer.metadata(), ...more });
  const cases: Record<string, Respond> = {
    'issuer: another': claim({ issuer: 'https://evil.example' }),
    'issuer: a path more': claim({ issuer: `${issuer.url}/other` }),
    'issuer: another port': claim({ issuer: 'http://127.0.0.1:1' }),
    'issuer: missing': claim({ issuer: undefined }),
    'issuer: a list': claim({ issuer: [issuer.url] }),
    'authorization endpoint: missing': claim({ authorization_endpoint: undefined }),
    'authorization endpoint: a script': claim({ authorization_endpoint: 'javascript:alert(1)' }),
    'authorization endpoint: no address': claim({ authorization_endpoint: 'x' }),
    'authorization endpoint: a number': claim({ authorization_endpoint: 7 }),
    'token endpoint: missing': claim({ token_endpoint: undefined }),
    'keys: missing': claim({ jwks_uri: undefined }),
    HTML: text('<h1>', 'text/html'),
    'no JSON': text('{'),
    'a list': json([]),
    'status 404': text('', 'text/plain', 404),
    'status 500': text('', 'text/plain', 500),
    'a redirect': redirect(302, `${issuer.url}/trap`),
    'hangs up': hangUp,
    'says nothing': () => {},
    'bytes without end': flood,
  };
  const search = new URLSearchParams({ redirect_uri: `${url}/auth/callback` });
  let is_believed = false;
  return {
    name: 'discovery of a broken issuer',
    allows_503: true,
    isRefused: (answer) => {
      is_believed = !isUnavailable(answer) && !isSetWrongly(answer);
      return !is_believed && issuer.trapped() === 0;
    },
    attacks: Object.entries(cases).map(
      ([name, respond]): Attack => ({
        name,
        send: () => {
          issuer.setDiscovery(respond);
          return createBrowser(url).get(`${AUTHORIZE}?${search}`);
        },
      }),
    ),
    // A good answer would be cached for an hour, so the sign-in itself is tested only after this group.
    honest: async () => {
      if (is_believed) await restart();
      return !is_believed && (await createBrowser(url).get('/readyz')).status === 200;
    },
  };
}
