import { authorize } from '@sendlap/contract/auth.ts';
import type { FastifyInstance, FastifyPluginAsync } from 'fastify';
import type { Provider } from 'oidc-provider';
import { isDatabaseUnavailable } from '#api/database/database.ts';
import { allowedOrigins } from '#api/http/allowed-origins.ts';
import { PAGE_HEADERS, pageHeaders } from '#api/http/pages/page-headers.ts';
import type { LimitRequests } from '#api/http/request-limit.ts';
import { logRequest, REQUEST_ID_HEADER } from '#api/http/request-log.ts';
import { AppError } from '#api/platform/errors.ts';
import type { Accounts } from '../accounts.ts';
import { HIDDEN_FROM_OPENAPI, requestedLocale, sendPage } from '../pages/forms.ts';
import { mountResetPages } from '../pages/reset-pages.ts';
import { mountSignInPages } from '../pages/sign-in-pages.ts';
import { noticePage } from '../pages/sign-in-views.ts';
import { mountSignOutPage } from '../pages/sign-out-page.ts';
import { mountMailedSignUp } from '../pages/sign-up-pages.ts';
import type { NoticeKind } from '../pages/texts.ts';
import { MOUNT_PATH } from '../paths.ts';
import type { IdentityProviderOptions } from './identity-provider.ts';

interface MountOptions extends IdentityProviderOptions {
  provider: Provider;
  accounts: Accounts;
  limitRequests: LimitRequests;
}

const RETRY_AFTER_S = 5;
/** The provider stores the query of a sign-in that begins; our own are shorter than a third of this. */
const MAX_ADDRESS_LENGTH = 2_048;
/** Pages of refusals that are no outage. */
const NOTICES: Partial<Record<string, NoticeKind>> = { too_many_requests: 'too_many', bad_request: 'expired' };
/** The address to which the pages lead back. Any other may begin a sign-in: the provider reads paths less strictly. */
const RETURN_PATH = /^\/oidc\/auth\/[\w-]+(?:\?|$)/;

/** Mounts the provider's endpoints and pages under /oidc. */
export async function mountProvider(app: FastifyInstance, options: MountOptions): Promise<void> {
  const { provider, public_url } = options;
  provider.on('server_error', (_context, error) => app.log.error({ err: error }, 'identity provider failed'));

  const pages: FastifyPluginAsync = async (scope) => {
    addFormParser(scope);
    renderRefusals(scope);
    const { mail } = options;
    const headers = pageHeaders(allowedOrigins(public_url));
    mountSignInPages(scope, { ...options, headers, sends_mail: mail !== undefined });
    if (mail) mountMailedSignUp(scope, { ...options, headers, mail, sends_mail: true });
    mountResetPages(scope, options);
    mountSignOutPage(scope, options);
  };
  const endpoints: FastifyPluginAsync = async (scope) => {
    renderRefusals(scope);
    limitSignIns(scope, options.limitRequests);
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

/** Limits the sign-ins of an IP address as `authorize` does. Each stores records: one that begins, and one that returns. */
function limitSignIns(scope: FastifyInstance, limitRequests: LimitRequests): void {
  const limitBegins = limitRequests('begun sign-ins', authorize.limit);
  const limitReturns = limitRequests('returned sign-ins', authorize.limit);
  scope.addHook('onRequest', (request, reply, done) => {
    if (request.url.length > MAX_ADDRESS_LENGTH) throw new AppError('bad_request', 'The address is too long');
    const limit = RETURN_PATH.test(request.url) ? limitReturns : limitBegins;
    limit.call(scope, request, reply, done);
  });
}

/**
 * Answers browsers with an HTML page when the database is unavailable, the server is overloaded or a request is refused;
 * other errors go to the default handler.
 */
function renderRefusals(scope: FastifyInstance): void {
  scope.setErrorHandler((error, request, reply) => {
    const wants_page = request.headers.accept?.includes('text/html') === true;
    const notice = error instanceof AppError ? NOTICES[error.code] : undefined;
    if (wants_page && error instanceof AppError && notice !== undefined) {
      const { code, status, retry_after_s } = error;
      logRequest(reply, { level: 'info', message: 'request refused', status, code });
      if (retry_after_s !== undefined) reply.header('retry-after', retry_after_s);
      return sendPage(reply.code(status), PAGE_HEADERS, noticePage(requestedLocale(request), notice));
    }
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
