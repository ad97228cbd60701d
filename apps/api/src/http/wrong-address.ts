import type { RequestListener } from 'node:http';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { isLocalHost, isLoopbackHost } from '../platform/local-hosts.ts';
import { allowedOrigins } from './allowed-origins.ts';
import { html } from './pages/html.ts';
import { notice } from './pages/layout.ts';
import { chooseLocale, type Locale } from './pages/locale.ts';
import { PAGE_HEADERS } from './pages/page-headers.ts';
import { createPlainPages } from './pages/plain-pages.ts';

const MISDIRECTED = 421;
/** Proxies add one of them; without X-Forwarded-Host, the host in the browser's address bar is unknown. */
const PROXY_HEADERS = ['x-forwarded-for', 'forwarded', 'via'];

const TEXTS = {
  en: {
    title: 'This is not Sendlap’s address',
    body: (opened: string, public_url: string) =>
      `You opened ${opened}. This server answers at ${public_url}, and you can sign in only there.`,
    open: (public_url: string) => `Open ${public_url}`,
    operator: (setting: string) =>
      `Do you run this server, and is the first address correct? Start it with ${setting}. Behind a proxy, forward the header Host.`,
  },
  es: {
    title: 'Esta no es la dirección de Sendlap',
    body: (opened: string, public_url: string) =>
      `Has abierto ${opened}. Este servidor responde en ${public_url}, y solo ahí puedes iniciar sesión.`,
    open: (public_url: string) => `Abrir ${public_url}`,
    operator: (setting: string) =>
      `¿Administras este servidor y la primera dirección es la correcta? Inícialo con ${setting}. Detrás de un proxy, haz que reenvíe la cabecera Host.`,
  },
};

interface WrongAddress {
  /** The origin that the browser opened. */
  opened: string;
  public_url: string;
  /** The setting that makes the opened address the server's own; undefined if only its scheme is wrong. */
  setting: string | undefined;
}

function wrongAddressPage(locale: Locale, { opened, public_url, setting }: WrongAddress): string {
  const texts = TEXTS[locale];
  return notice(
    locale,
    { title: texts.title, body: texts.body(opened, public_url) },
    html`
        <a class="button" href="${public_url}/">${texts.open(public_url)}</a>
        ${setting !== undefined && html`<p class="hint apart">${texts.operator(setting)}</p>`}`,
  );
}

/** Returns the setting for the opened address. Browsers treat plain http as secure only on this machine. */
function settingFor(opened: string): string {
  const { protocol, hostname } = URL.canParse(opened) ? new URL(opened) : { protocol: '', hostname: '' };
  if (protocol === 'https:' || isLoopbackHost(hostname)) return `PUBLIC_URL=${opened}`;
  if (isLocalHost(hostname)) return 'npm start -- --phone';
  return `PUBLIC_URL=${opened.replace(/^http:/, 'https:')} (TLS_CERT, ACME_EMAIL)`;
}

/** Answers plain http at the port of an app that speaks https. */
export function createWrongSchemePages(public_url: string): RequestListener {
  const own_host = withoutUsualPort(new URL(public_url).host);
  return createPlainPages({
    status: MISDIRECTED,
    render(locale, { host }) {
      const setting = withoutUsualPort(host) === own_host ? undefined : `PUBLIC_URL=https://${host}`;
      return wrongAddressPage(locale, { opened: `http://${host}`, public_url, setting });
    },
  });
}

/**
 * Answers a page load at a host that is not the server's own with a page that names the right one: calls from there
 * would be refused as another site's. `isPage`: whether a path can be a page of the app.
 */
export function answerWrongHost(app: FastifyInstance, public_url: string, isPage: (path: string) => boolean): void {
  const own_origins = allowedOrigins(public_url).map((origin) => new URL(origin));
  const isOwnHost = (host: string) =>
    own_origins.some((own) => host === own.host || withoutUsualPort(host) === own.host);
  app.addHook('onRequest', (request, reply, done) => {
    if (
      request.method !== 'GET' ||
      !request.headers.accept?.includes('text/html') ||
      !isPage(request.url.split('?')[0] ?? '/')
    )
      return done();
    const host = hostInAddressBar(request);
    if (host === undefined || isOwnHost(host) || isOwnHost(request.headers.host ?? '')) return done();
    // Some proxies forward the name without its port.
    if (request.headers['x-forwarded-host'] && own_origins.some(({ hostname }) => hostname === host)) return done();
    const locale = chooseLocale(undefined, request.headers['accept-language']);
    const opened = `${request.protocol}://${host}`;
    reply.code(MISDIRECTED).headers(PAGE_HEADERS).type('text/html; charset=utf-8');
    reply.send(wrongAddressPage(locale, { opened, public_url, setting: settingFor(opened) }));
  });
}

/** A browser omits the port that its scheme implies; behind a proxy that scheme is unknown. */
function withoutUsualPort(host: string): string {
  return host.replace(/:(80|443)$/, '');
}

/** Returns the host in the browser's address bar, with its port; undefined if a proxy in front hides it. */
function hostInAddressBar({ headers }: FastifyRequest): string | undefined {
  const forwarded_host = headers['x-forwarded-host'];
  if (forwarded_host !== undefined) return forwarded_host.toString().split(',')[0]?.trim();
  return PROXY_HEADERS.some((name) => headers[name] !== undefined) ? undefined : headers.host;
}
