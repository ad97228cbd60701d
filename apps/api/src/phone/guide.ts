import type { RequestListener } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { type Html, html } from '../http/pages/html.ts';
import { layout } from '../http/pages/layout.ts';
import type { Locale } from '../http/pages/locale.ts';
import { createPlainPages } from '../http/pages/plain-pages.ts';
import { GUIDE_TEXTS, type Platform } from './guide-texts.ts';
import type { LocalCa } from './local-ca.ts';

const CERTIFICATE_PATH = '/sendlap-ca.crt';
const SCRIPT_PATH = '/guide.js';
/** Over https: a browser gets this reply only once it trusts the certificate. */
const TRUST_PROBE_PATH = '/phone-trust';
/** Examples, for visitors, of the addresses for which certificates of the local CA are valid. */
const WELL_KNOWN_HOSTS = '192.168.…, 10.…, .local';

/** Runs in the page: requests over https every 3 s until it gets a reply, which means that the browser trusts the certificate. */
const SCRIPT = `
const status = document.querySelector('[data-probe]');
const probe = async () => {
  try {
    await fetch(status.dataset.probe, { mode: 'no-cors', cache: 'no-store', credentials: 'omit' });
    status.textContent = status.dataset.trusted;
    document.body.classList.add('trusted');
  } catch {
    if (!status.textContent) status.textContent = status.dataset.untrusted;
    setTimeout(probe, 3000);
  }
};
probe();
`;

interface GuideOptions {
  ca: LocalCa;
  /** The app's https origin. */
  public_url: string;
}

/**
 * Serves, over plain http, the local CA's certificate and a page that walks through trusting it, with the steps of the
 * visitor's system first.
 */
export function createGuide({ ca, public_url }: GuideOptions): RequestListener {
  return createPlainPages({
    files: {
      [CERTIFICATE_PATH]: {
        type: 'application/x-x509-ca-cert',
        body: ca.certificate,
        download: CERTIFICATE_PATH.slice(1),
      },
      [SCRIPT_PATH]: { type: 'text/javascript; charset=utf-8', body: SCRIPT },
    },
    connect_src: public_url,
    render: (locale, { user_agent }) => guidePage(locale, { ca, public_url }, findPlatform(user_agent)),
  });
}

/** Lets the guide find out whether the browser trusts the certificate. The guide's plain http is another origin. */
export function mountTrustProbe(app: FastifyInstance): void {
  app.get(TRUST_PROBE_PATH, { schema: { hide: true } }, async (_request, reply) =>
    reply.code(204).header('cross-origin-resource-policy', 'cross-origin').send(),
  );
}

/** iPads identify as Macs, so they see the computer's steps first. */
function findPlatform(user_agent: string): Platform {
  if (/android/i.test(user_agent)) return 'android';
  return /iphone|ipad|ipod/i.test(user_agent) ? 'ios' : 'computer';
}

function guidePage(locale: Locale, { ca, public_url }: GuideOptions, platform: Platform): string {
  const { name } = ca;
  const texts = GUIDE_TEXTS[locale];
  const others = (['android', 'ios', 'computer'] as const).filter((each) => each !== platform);
  const content = html`
        <p class="lead">${texts.lead}</p>
        <ol class="steps">
          <li>
            <h2>${texts.download_title}</h2>
            <a class="button quiet" href="${CERTIFICATE_PATH}">${texts.download}</a>
            <p class="hint">${texts.fingerprint}</p>
          </li>
          <li>
            <h2>${texts.trust_title}</h2>
            ${steps(locale, platform, name)}
            ${join(others.map((each) => details(texts.platforms[each], steps(locale, each, name))))}
          </li>
          <li>
            <h2>${texts.open_title}</h2>
            <p class="hint" role="status" data-probe="${public_url}${TRUST_PROBE_PATH}" data-trusted="${texts.trusted}" data-untrusted="${texts.untrusted}"></p>
            <a class="button" href="${public_url}/">${texts.open}</a>
          </li>
        </ol>
        ${details(texts.skip_title, html`<p>${texts.skip}</p>`)}
        ${details(texts.safe_title, html`<p>${texts.safe(name, WELL_KNOWN_HOSTS)}</p>`)}
        <script src="${SCRIPT_PATH}" defer></script>`;
  return layout(locale, texts.title, content);
}

function steps(locale: Locale, platform: Platform, name: string): Html {
  return html`<ol>${join(GUIDE_TEXTS[locale].steps[platform](name).map((step) => html`<li>${step}</li>`))}</ol>`;
}

function details(summary: string, content: Html): Html {
  return html`<details><summary>${summary}</summary>${content}</details>`;
}

function join(parts: Html[]): Html {
  return parts.reduce((all, part) => html`${all}${part}`, html``);
}

/** The first half of the digits: enough to notice another certificate, few enough to compare. */
export function shortFingerprint(fingerprint: string): string {
  return fingerprint.split(':').slice(0, 16).join(' ');
}
