/// <reference path="../../apps/api/src/accounts/provider/oidc-provider.d.ts" />
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { fileURLToPath } from 'node:url';
import type { Provider, ProviderContext } from 'oidc-provider';
import { pollUntil } from '../../apps/api/test/delays.ts';
import { findFreePort } from '../../apps/api/test/free-port.ts';

const CLIENT_ID = 'sendlap-elsewhere';
const CLIENT_SECRET = 'a secret between the two houses';
const READY_TIMEOUT_MS = 60_000;

/** The only user with an account there. */
export const GRACE = { email: 'grace@elsewhere.example', password: 'nanoseconds of wire', name: 'Grace Hopper' };

/** A third-party OpenID provider, in a process of its own, that remembers the signed-in user. */
export interface ExternalProvider {
  issuer: string;
  /** The settings of a server that uses it as its issuer. */
  settings: Record<string, string>;
  /** `app_url`: the public address of that server. A no-op if it already runs. */
  start(app_url: string): Promise<void>;
  stop(): Promise<void>;
}

/** Not started yet: the server to which it redirects users must know its address first. */
export async function prepareExternalProvider(): Promise<ExternalProvider> {
  const port = await findFreePort();
  // A host name other than the app's, because cookies ignore ports.
  const issuer = `http://127.0.0.1:${port}`;
  let child: ChildProcess | undefined;
  const isRunning = () => child !== undefined && child.exitCode === null && child.signalCode === null;
  return {
    issuer,
    settings: { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: CLIENT_ID, OIDC_CLIENT_SECRET: CLIENT_SECRET },
    async start(app_url) {
      if (isRunning()) return;
      child = spawn(process.execPath, [fileURLToPath(import.meta.url)], {
        env: { ...process.env, PORT: String(port), APP_URL: app_url },
        stdio: ['ignore', 'inherit', 'inherit'],
      });
      await waitUntilReady(issuer, child);
    },
    async stop() {
      if (!child || !isRunning()) return;
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
    },
  };
}

async function waitUntilReady(issuer: string, child: ChildProcess): Promise<void> {
  const answers = async () => {
    if (child.exitCode !== null) throw new Error(`the external provider ended with code ${child.exitCode}`);
    const reply = await fetch(`${issuer}/.well-known/openid-configuration`).catch(() => undefined);
    return reply?.ok === true;
  };
  if (await pollUntil(answers, { patience_ms: READY_TIMEOUT_MS })) return;
  throw new Error('the external provider did not get ready');
}

/** Runs in the process of its own. */
async function serve(port: number, app_url: string): Promise<void> {
  const provider = await createProvider(`http://127.0.0.1:${port}`, app_url);
  const handle = provider.callback();
  createServer((request, response) => {
    const is_form = request.url?.startsWith('/interaction/');
    const done = is_form ? answerForm(provider, request, response) : handle(request, response);
    done.catch(() => response.writeHead(400).end('This sign-in is over.'));
  }).listen(port, '127.0.0.1');
}

async function createProvider(issuer: string, app_url: string): Promise<Provider> {
  // It warns on every Node that is not its LTS, and that its defaults are not for production.
  const silent = () => {};
  Object.assign(console, { warn: silent, info: silent });
  const { Provider: OidcProvider } = await import('oidc-provider');
  const client = {
    client_id: CLIENT_ID,
    client_secret: CLIENT_SECRET,
    redirect_uris: [`${app_url}/auth/callback`],
    post_logout_redirect_uris: [`${app_url}/login`],
  };
  return new OidcProvider(issuer, {
    clients: [client],
    claims: { openid: ['sub'], email: ['email'], profile: ['name'] },
    findAccount: (_context: unknown, id: string) => ({
      accountId: id,
      claims: () => ({ sub: id, email: GRACE.email, name: GRACE.name }),
    }),
    pkce: { required: () => true },
    cookies: { keys: ['for journeys'] },
    features: { devInteractions: { enabled: false }, rpInitiatedLogout: { enabled: true, logoutSource } },
    interactions: { url: (_context: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
    loadExistingGrant: grantAtOnce,
  });
}

/** Grants at once, without a consent page. */
async function grantAtOnce({ oidc }: ProviderContext) {
  const grant = new oidc.provider.Grant({ clientId: oidc.client.clientId, accountId: oidc.session.accountId });
  grant.addOIDCScope('openid email profile');
  await grant.save();
  return grant;
}

function logoutSource(context: ProviderContext, form: string): void {
  context.type = 'html';
  context.body = page(
    'Leave Elsewhere?',
    `${form}
    <button type="submit" form="op.logoutForm" name="logout" value="yes">Sign me out</button>
    <button type="submit" form="op.logoutForm">Stay signed in</button>`,
  );
}

async function answerForm(provider: Provider, request: IncomingMessage, response: ServerResponse): Promise<void> {
  await provider.interactionDetails(request, response);
  const show = (problem: string) => response.writeHead(200, { 'content-type': 'text/html' }).end(formPage(problem));
  if (request.method !== 'POST') return void show('');
  const fields = new URLSearchParams(await readBody(request));
  if (fields.get('email') !== GRACE.email || fields.get('password') !== GRACE.password) return void show('Not right.');
  const result = { login: { accountId: 'grace' } };
  const location = await provider.interactionResult(request, response, result);
  response.writeHead(303, { location }).end();
}

async function readBody(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of request.setEncoding('utf8')) text += chunk;
  return text;
}

function formPage(problem: string): string {
  return page(
    'Sign in at Elsewhere',
    `<p>${problem}</p><form method="post">
    <label>E-mail <input name="email" type="email"></label>
    <label>Password <input name="password" type="password"></label>
    <button type="submit">Go on</button></form>`,
  );
}

function page(title: string, content: string): string {
  return `<!doctype html><html lang="en"><title>${title}</title><h1>${title}</h1>${content}</html>`;
}

if (import.meta.main) await serve(Number(process.env.PORT), process.env.APP_URL ?? '');
