import type { FastifyInstance, FastifyPluginAsync } from 'fastify';
import type { Provider } from 'oidc-provider';
import { isDatabaseUnavailable } from '#api/database/database.ts';
import { allowedOrigins } from '#api/http/allowed-origins.ts';
import { PAGE_HEADERS, pageHeaders } from '#api/http/pages/page-headers.ts';
import { logRequest, REQUEST_ID_HEADER } from '#api/http/request-log.ts';
import { AppError } from '#api/platform/errors.ts';
import type { Accounts } from '../accounts.ts';
import { HIDDEN_FROM_OPENAPI, requestedLocale, sendPage } from '../pages/forms.ts';
import { mountResetPages } from '../pages/reset-pages.ts';
import { mountSignInPages } from '../pages/sign-in-pages.ts';
import { noticePage } from '../pages/sign-in-views.ts';
import { mountSignOutPage } from '../pages/sign-out-page.ts';
import { mountMailedSignUp } from '../pages/sign-up-pages.ts';
import { MOUNT_PATH } from '../paths.ts';
import type { IdentityProviderOptions } from './identity-provider.ts';

interface MountOptions extends IdentityProviderOptions {
  provider: Provider;
  accounts: Accounts;
}

const RETRY_AFTER_S = 5;

/** Mounts the provider's endpoints and pages under /oidc. */
export async function mountProvider(app: FastifyInstance, options: MountOptions): Promise<void> {
  const { provider, public_url } = options;
  provider.on('server_error', (_context, error) => app.log.error({ err: error }, 'identity provider failed'));

  const pages: FastifyPluginAsync = async (scope) => {
    addFormParser(scope);
    renderOutagePages(scope);
    const { mail } = options;
    const headers = pageHeaders(allowedOrigins(public_url));
    mountSignInPages(scope, { ...options, headers, sends_mail: mail !== undefined });
    if (mail) mountMailedSignUp(scope, { ...options, headers, mail, sends_mail: true });
    mountResetPages(scope, options);
    mountSignOutPage(scope, options);
  };
  const endpoints: FastifyPluginAsync = async (scope) => {
    renderOutagePages(scope);
    mountEndpoints(scope, provider, public_url);
  };
  await app.register(pages);
  await app.register(endpoints);
}

/** oidc-provider reads the body and writes the reply itself. */
export function mountEndpoints(endpoints: FastifyInstance, provider: Provider, public_url: string): void {
  const { protocol, host } = new URL(public_url);
  const handle = provider.callback();
  endpoints.removeAllContentTypeParsers();
  endpoints.addContentTypeParser('*', (_request, _payload, done) => done(null));
  endpoints.all(`${MOUNT_PATH}/*`, HIDDEN_FROM_OPENAPI, async (request, reply) => {
    reply.hijack();
    reply.raw.setHeader(REQUEST_ID_HEADER, request.id);
    const { raw } = request;
    Object.assign(raw.headers, { host, 'x-forwarded-host': host, 'x-forwarded-proto': protocol.slice(0, -1) });
    // oidc-provider learns its mount path from the difference between the two URLs.
    Object.assign(raw, { originalUrl: raw.url, url: raw.url?.slice(MOUNT_PATH.length) });
    await handle(raw, reply.raw);
  });
}

/** Answers browsers with an HTML page when the database is unavailable or the server is overloaded; other errors go to the default handler. */
function renderOutagePages(scope: FastifyInstance): void {
  scope.setErrorHandler((error, request, reply) => {
    const wants_page = request.headers.accept?.includes('text/html') === true;
    const is_refused = error instanceof AppError && error.code === 'unavailable';
    if (!wants_page || !(is_refused || isDatabaseUnavailable(error))) throw error;
    const line = { status: 503, code: 'unavailable' } as const;
    if (is_refused) logRequest(reply, { ...line, level: 'warn', message: 'request refused', fields: error.log_fields });
    else logRequest(reply, { ...line, level: 'error', message: 'request failed', err: error });
    reply.code(503).header('retry-after', RETRY_AFTER_S);
    return sendPage(reply, PAGE_HEADERS, noticePage(requestedLocale(request), 'unavailable'));
  });
}

function addFormParser(pages: FastifyInstance): void {
  pages.removeAllContentTypeParsers();
  pages.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, done) =>
    done(null, Object.fromEntries(new URLSearchParams(String(body)))),
  );
}
