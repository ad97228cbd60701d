import { readFileSync } from 'node:fs';
import type { IncomingMessage, RequestListener } from 'node:http';
import { LOGO_PATH, STYLE_PATH } from './layout.ts';
import { chooseLocale, type Locale } from './locale.ts';

const MISDIRECTED = 421;
const LOGO = new URL('../../../../web/dist/favicon.svg', import.meta.url);
const STYLE = new URL('pages.css', import.meta.url);

/**
 * Of every reply over plain http. Neither HSTS nor COOP: browsers ignore both there.
 */
const PLAIN_HEADERS = {
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=()',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
};

/** Of replies over plain http that are no pages. */
export const PLAIN_TEXT_HEADERS = {
  ...PLAIN_HEADERS,
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
};

/** A reply of the server's plain http side; `type`: a media type. */
export interface PlainFile {
  type: string;
  body: string | Buffer;
  /** Saved under this name instead of shown. */
  download?: string;
}

export interface PlainPages {
  /** By path, besides the style sheet and the logo. */
  files?: Record<string, PlainFile>;
  /** Of the page; 200 by default. */
  status?: number;
  /** The page at all other paths. `host`: what the browser's address bar shows, with the port. */
  render(locale: Locale, visit: { host: string; user_agent: string }): string;
  /** Where a script of the page may connect to. */
  connect_src?: string;
}

/** Serves pages over plain http, where there is neither the app nor its server's headers. */
export function createPlainPages(options: PlainPages): RequestListener {
  const { files = {}, status = 200, render, connect_src = "'none'" } = options;
  const served: Record<string, PlainFile> = {
    ...files,
    [STYLE_PATH]: { type: 'text/css; charset=utf-8', body: readFileSync(STYLE, 'utf8') },
    [LOGO_PATH]: { type: 'image/svg+xml', body: readLogo() },
  };
  const policy = `default-src 'none'; style-src 'self'; img-src 'self'; script-src 'self'; connect-src ${connect_src}; form-action 'none'; base-uri 'none'; frame-ancestors 'none'`;
  return (request, response) => {
    const path = request.url?.split('?')[0] ?? '/';
    const file = Object.hasOwn(served, path) ? served[path] : undefined;
    const { type, body, download } = file ?? { type: 'text/html; charset=utf-8', body: renderFor(request, render) };
    // A program that calls the app by plain http must not take a page for its reply.
    const is_page_load = request.headers.accept?.includes('text/html') === true;
    response.writeHead(file ? 200 : is_page_load ? status : MISDIRECTED, {
      ...PLAIN_HEADERS,
      'content-type': type,
      'content-security-policy': policy,
      ...(download ? { 'content-disposition': `attachment; filename="${download}"` } : {}),
    });
    response.end(request.method === 'HEAD' ? undefined : body);
  };
}

function renderFor({ headers }: IncomingMessage, render: PlainPages['render']): string {
  const locale = chooseLocale(undefined, headers['accept-language']);
  return render(locale, { host: headers.host ?? '', user_agent: headers['user-agent'] ?? '' });
}

/** The web app's own file; empty without a build. */
function readLogo(): Buffer {
  try {
    return readFileSync(LOGO);
  } catch {
    return Buffer.alloc(0);
  }
}
