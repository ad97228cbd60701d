import { createHash } from 'node:crypto';
import { createSecrets, loadOrCreateSecret } from '../apps/api/src/database/secrets.ts';
import { loadSigningKeys } from '../apps/api/src/database/signing-keys.ts';
import { type Operator, openOperator } from '../apps/api/test/app/operator.ts';
import { startServer, type WholeServer } from '../e2e/server/server.ts';
import { type Figure, openFigureSheet } from '../tools/programs/figures.ts';
import { accessTokenAttacks } from './oauth/access-token-attacks.ts';
import { authorizeAttacks } from './oauth/authorize-attacks.ts';
import { brokenReplies, discoveryAttacks, foreignIdentities } from './oauth/broken-issuer-attacks.ts';
import { callbackAttacks } from './oauth/callback-attacks.ts';
import { cookieAttacks } from './oauth/cookie-attacks.ts';
import { expiryAttacks } from './oauth/expiry-attacks.ts';
import { type External, signInAt } from './oauth/external-sign-in.ts';
import { CLIENT, startForgingIssuer, tokens } from './oauth/forging-issuer.ts';
import { type Group, printTable, type Row, runGroup } from './oauth/group.ts';
import { idTokenAttacks } from './oauth/id-token-attacks.ts';
import { interactionAttacks } from './oauth/interaction-attacks.ts';
import { REFRESH_COOKIE, signUp } from './oauth/own-sign-in.ts';
import { authorizationEndpointAttacks } from './oauth/provider-attacks.ts';
import { importParseReturnPath, returnPathAttacks } from './oauth/return-paths.ts';
import { redeem, tokenEndpointAttacks } from './oauth/token-attacks.ts';

/** This program plays the one proxy in front, so that rate limits by address do not hide the checks. */
const BEHIND_PROXY = { TRUST_PROXY: '1', DRAIN_S: '0', LOG_LEVEL: 'silent' };

/**
 * Every known forgery of a sign-in, sent to real servers: each attack must be refused, none may end in a 5xx or a 403,
 * and after each the honest sign-in must work. Control arm: hastily written checks, which must let attacks in;
 * otherwise the forgeries would be worthless.
 */
export async function run(): Promise<Figure[]> {
  const sheet = openFigureSheet();
  const rows = [...(await attackOwnProvider()), ...(await attackRelyingParty())];
  printTable(rows);
  const problems = rows.flatMap((row) => row.problems);
  const sum = (of: (row: Row) => number) => rows.reduce((total, row) => total + of(row), 0);
  const bad = { '5xx': sum((row) => row.errors_5xx), '403': sum((row) => row.forbidden_403) };
  sheet.add('refused', `${sum((r) => r.refused)} of ${sum((r) => r.attacks)}, 5xx ${bad['5xx']}, 403 ${bad['403']}`);
  if (problems.length > 0 || bad['5xx'] + bad['403'] > 0)
    throw new Error('an attack was not refused, or the honest were');
  const toothless = rows.filter((row) => row.weak_of > 0 && row.weak === 0).map((row) => row.name);
  const let_in = `let in ${sum((r) => r.weak)} of ${sum((r) => r.weak_of)}`;
  const silent = toothless.length > 0 ? `, none in ${toothless.join(', ')}` : '';
  sheet.control('without the checks', toothless.length === 0, let_in + silent);
  return sheet.figures;
}

async function runAll(groups: Group[]): Promise<Row[]> {
  const rows: Row[] = [];
  for (const group of groups) {
    const started_at = performance.now();
    const row = await runGroup(group);
    rows.push(row);
    console.log(`   ${group.name}: ${((performance.now() - started_at) / 1000).toFixed(1)} s`);
    for (const problem of row.problems) console.log(`   ! ${problem}`);
  }
  return rows;
}

/** Attacks the app's own calls, and its own provider behind them. */
async function attackOwnProvider(): Promise<Row[]> {
  const server = await startServer({ env: BEHIND_PROXY });
  const operator = await openOperator(server.data_dir);
  try {
    const { url, passTime } = server;
    const { own_key, provider_key, client_secret } = await readKeys(server, operator);
    const readVerifier = (state: string) => readProviderVerifier(operator, state);
    const exchange = (code: string, verifier: string) => redeem(url, client_secret, code, verifier);
    const { person, browser: victim, access_token: token } = await signUp(url);
    const { access_token: other_token } = await signUp(url);
    const ended = await makeEndedSession(url);
    const old = { 'of a session that was ended': ended.access_token };
    const keys = { own_key, provider_key };
    return await runAll([
      ...authorizeAttacks(url),
      callbackAttacks({ url, person, readVerifier, redeem: exchange }),
      authorizationEndpointAttacks(url),
      tokenEndpointAttacks(url, person, { client_secret, readVerifier }),
      interactionAttacks({ url, person }),
      accessTokenAttacks({ url, ...keys, token, other_token, ended: old }),
      cookieAttacks({ url, victim, token, ended: ended.refresh_token }),
      returnPathAttacks(url, await importParseReturnPath()),
      expiryAttacks({ url, person, passTime }),
    ]);
  } finally {
    await operator.close();
    await server.remove();
  }
}

/** Attacks the app's side of a sign-in at a third-party issuer, which is hostile here. */
async function attackRelyingParty(): Promise<Row[]> {
  const issuer = await startForgingIssuer();
  const oidc = { OIDC_ISSUER: issuer.url, OIDC_CLIENT_ID: CLIENT.client_id, OIDC_CLIENT_SECRET: CLIENT.client_secret };
  const server = await startServer({ env: { ...BEHIND_PROXY, ...oidc } });
  const external = { url: server.url, issuer };
  try {
    const restart = () => server.kill().then(() => server.start());
    // First, because a good answer is cached for an hour.
    const discovery = await runAll([discoveryAttacks(external, restart)]);
    issuer.setDiscovery(undefined);
    const kept = await signInAsVictim(external);
    const groups = [idTokenAttacks(external, kept), brokenReplies(external), foreignIdentities(external, kept.user)];
    return [...discovery, ...(await runAll(groups))];
  } finally {
    await server.remove();
    await issuer.close();
  }
}

async function signInAsVictim(external: External): Promise<{ id_token: string; user: { id: string } }> {
  const { issuer } = external;
  let id_token = '';
  const { status, body, data } = await signInAt(external, ({ nonce, code }) => {
    id_token = issuer.sign(issuer.claims(nonce));
    return { token: tokens(id_token, code) };
  });
  if (status !== 200) throw new Error(`the honest sign-in answered ${status} ${body}`);
  return { id_token, user: data.user as { id: string } };
}

/** Reads the server's own keys, so that all but the attacked claim is right. */
async function readKeys({ data_dir }: WholeServer, { database }: Operator) {
  const secrets = createSecrets(await loadOrCreateSecret(data_dir));
  const [own_key] = await loadSigningKeys({ database, secrets, purpose: 'access tokens', alg: 'EdDSA' });
  const [provider_key] = await loadSigningKeys({ database, secrets, purpose: 'identity provider', alg: 'ES256' });
  const client_secret = secrets.derive('client secret of the own provider').toString('base64url');
  return { own_key, provider_key, client_secret };
}

async function readProviderVerifier({ database }: Operator, state: string): Promise<string> {
  const state_hash = createHash('sha256').update(state).digest();
  const query = database
    .selectFrom('sign_in_attempts')
    .select('provider_verifier')
    .where('state_hash', '=', state_hash);
  return (await query.executeTakeFirstOrThrow()).provider_verifier;
}

async function makeEndedSession(url: string): Promise<{ access_token: string; refresh_token: string }> {
  const { browser, access_token } = await signUp(url);
  const refresh_token = browser.cookies.get(REFRESH_COOKIE)?.value ?? '';
  const left = await browser.post('/v1/auth/logout');
  if (left.status !== 200) throw new Error(`logout answered ${left.status} ${left.body}`);
  return { access_token, refresh_token };
}
