import { readFile } from 'node:fs/promises';
import type { FastifyInstance, FastifyPluginAsync } from 'fastify';
import type { Provider } from 'oidc-provider';
import { allowedOrigins } from '../allowed-origins.ts';
import type { Accounts } from './accounts.ts';
import { pageHeaders } from './page-headers.ts';
import { STYLE_PATH } from './pages.ts';
import { MOUNT_PATH } from './provider.ts';
import { mountSignInPages } from './sign-in-pages.ts';

interface MountOptions {
  provider: Provider;
  accounts: Accounts;
  public_url: string;
}

const STYLE_MAX_AGE_S = 3_600;

/** Puts the provider's endpoints and its pages under /oidc. */
export async function mountProvider(app: FastifyInstance, options: MountOptions): Promise<void> {
  const { provider, public_url } = options;
  const style = await readFile(new URL('provider.css', import.meta.url), 'utf8');
  provider.on('server_error', (_context, error) => app.log.error({ err: error }, 'identity provider failed'));

  const pages: FastifyPluginAsync = async (scope) => {
    acceptForms(scope);
    scope.get(STYLE_PATH, { schema: { hide: true } }, async (_request, reply) =>
      reply.header('cache-control', `public, max-age=${STYLE_MAX_AGE_S}`).type('text/css; charset=utf-8').send(style),
    );
    mountSignInPages(scope, { ...options, headers: pageHeaders(allowedOrigins(public_url)) });
  };
  const endpoints: FastifyPluginAsync = async (scope) => mountEndpoints(scope, provider, public_url);
  await app.register(pages);
  await app.register(endpoints);
}

/** oidc-provider reads the body and writes the reply itself. */
function mountEndpoints(endpoints: FastifyInstance, provider: Provider, public_url: string): void {
  const { protocol, host } = new URL(public_url);
  const handle = provider.callback();
  endpoints.removeAllContentTypeParsers();
  endpoints.addContentTypeParser('*', (_request, _payload, done) => done(null));
  endpoints.all(`${MOUNT_PATH}/*`, { schema: { hide: true } }, async (request, reply) => {
    reply.hijack();
    const { raw } = request;
    Object.assign(raw.headers, { host, 'x-forwarded-host': host, 'x-forwarded-proto': protocol.slice(0, -1) });
    // What it was mounted under is learned from the difference of the two.
    Object.assign(raw, { originalUrl: raw.url, url: raw.url?.slice(MOUNT_PATH.length) });
    await handle(raw, reply.raw);
  });
}

function acceptForms(pages: FastifyInstance): void {
  pages.removeAllContentTypeParsers();
  pages.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, done) =>
    done(null, Object.fromEntries(new URLSearchParams(String(body)))),
  );
}
