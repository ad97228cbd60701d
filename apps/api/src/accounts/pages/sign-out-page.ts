import type { FastifyInstance } from 'fastify';
import { html } from '#api/http/pages/html.ts';
import { layout } from '#api/http/pages/layout.ts';
import type { Locale } from '#api/http/pages/locale.ts';
import { PAGE_HEADERS } from '#api/http/pages/page-headers.ts';
import { clearRefreshCookies, REFRESH_COOKIE } from '#api/sessions/refresh-cookies.ts';
import type { Sessions } from '#api/sessions/sessions.ts';
import { assertFormOrigin, HIDDEN_FROM_OPENAPI, requestedLocale, sendPage } from './forms.ts';
import { noticePage } from './sign-in-views.ts';
import { TEXTS } from './texts.ts';

const SIGN_OUT_PATH = '/oidc/sign-out';

/**
 * Sign-out for browsers that do not run the app's script. The provider has no session to end: this ends the app's
 * session, as POST /v1/auth/logout does. The app clears its data on the device at its next start.
 */
export function mountSignOutPage(
  app: FastifyInstance,
  { sessions, public_url }: { sessions: Pick<Sessions, 'end' | 'findByRefreshToken'>; public_url: string },
): void {
  app.get(SIGN_OUT_PATH, HIDDEN_FROM_OPENAPI, async (request, reply) =>
    sendPage(reply, PAGE_HEADERS, signOutPage(requestedLocale(request))),
  );

  app.post(SIGN_OUT_PATH, HIDDEN_FROM_OPENAPI, async (request, reply) => {
    assertFormOrigin(request, public_url);
    clearRefreshCookies(reply);
    const token = request.cookies[REFRESH_COOKIE];
    const session = token ? await sessions.findByRefreshToken(token) : undefined;
    if (session) await sessions.end(session.session_id, 'logout');
    return sendPage(reply, PAGE_HEADERS, noticePage(requestedLocale(request), 'signed_out'));
  });
}

function signOutPage(locale: Locale): string {
  const texts = TEXTS[locale];
  const { title, body } = texts.sign_out;
  return layout(
    locale,
    title,
    html`
    <form method="post" action="${SIGN_OUT_PATH}">
      <p class="lead">${body}</p>
      <input type="hidden" name="ui_locales" value="${locale}">
      <button type="submit">${texts.sign_out_submit}</button>
    </form>
    <p class="other"><a href="/">${texts.back}</a></p>`,
  );
}
