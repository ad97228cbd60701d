import { isIP } from 'node:net';
import { domainToASCII } from 'node:url';
import { bareHostname } from '#api/http/public-address.ts';
import { isLocalName } from '#api/http/public-names.ts';

/** The file with a claimer's line. It is no page: pages carry words of strangers, as comments or search results. */
const FILE_PATH = '/.well-known/sendlap.txt';

/**
 * Sites whose pages belong to their users, and hosts of free mailboxes. No claimer can put the file there or gets a
 * mailbox that proves anything, so these ways would only mislead.
 */
const SHARED_SITES = [
  ...[
    'facebook.com',
    'fb.com',
    'fb.me',
    'instagram.com',
    'twitter.com',
    'x.com',
    'tiktok.com',
    'youtube.com',
    'vk.com',
  ],
  ...['linkedin.com', 'wa.me', 't.me', 'linktr.ee', 'tripadvisor.com', 'yelp.com', 'meetup.com', 'wikipedia.org'],
  ...['google.com', 'goo.gl', 'g.page', 'business.site', 'blogspot.com', 'bit.ly', 'openstreetmap.org', 'thecrag.com'],
  ...[
    'wixsite.com',
    'wix.com',
    'wordpress.com',
    'weebly.com',
    'jimdo.com',
    'jimdofree.com',
    'webnode.com',
    'webnode.es',
  ],
  ...['squarespace.com', 'godaddysites.com', 'square.site', 'site123.me', 'strikingly.com', 'tumblr.com', 'github.io'],
  ...['gitlab.io', 'netlify.app', 'vercel.app', 'pages.dev', 'web.app', 'firebaseapp.com', 'herokuapp.com', 'free.fr'],
  ...['gmail.com', 'googlemail.com', 'outlook.com', 'hotmail.com', 'live.com', 'yahoo.com', 'icloud.com', 'gmx.net'],
  ...[
    'gmx.de',
    'web.de',
    't-online.de',
    'proton.me',
    'protonmail.com',
    'mail.ru',
    'yandex.ru',
    'orange.fr',
    'wanadoo.fr',
  ],
  ...['terra.es', 'telefonica.net', 'ya.com', 'libero.it', 'tiscali.it', 'virgilio.it', 'aol.com', 'over-blog.com'],
];

/** A front page: also of one language, such as /es/. */
const FRONT_PAGE = /^\/(?:[a-z]{2}(?:[-_][a-z]{2})?\/?|index\.[a-z]{3,5})?$/i;

/** The web site on record of a center. */
export interface Site {
  /** As it is on record. */
  url: string;
  /** In ASCII. */
  host: string;
  file_url: URL;
  /**
   * Only an address at this domain proves anything: the site's own host, without `www.`. null if the record is not the
   * front page: a pool's page on a town's or a university's site belongs to few of the people with mail there.
   */
  mail_domain: string | null;
}

interface SiteOptions {
  /** Also hosts of this machine, and other ports: for tests. */
  allow_local: boolean;
}

/** Returns the site that an address on record leads to; null if a claim can't be proved there. */
export function parseSite(address: string | null, { allow_local }: SiteOptions): Site | null {
  const url = address === null ? null : URL.parse(address);
  if (!address || !url || !/^https?:$/.test(url.protocol) || url.username || url.password) return null;
  if (url.hostname.endsWith('.')) return null;
  const host = bareHostname(url);
  if (isIP(host) !== 0 || isShared(host)) return null;
  if (!allow_local && (url.port !== '' || !host.includes('.') || isLocalName(host))) return null;
  const domain = withoutWww(host);
  const is_front_page = FRONT_PAGE.test(url.pathname) && url.search === '';
  const has_mail = is_front_page && (domain.includes('.') || allow_local);
  return { url: address, host, file_url: new URL(FILE_PATH, url), mail_domain: has_mail ? domain : null };
}

/** Whether a redirect stays on the site: the same host, with or without `www.`, and never from https to http. */
export function isSameSite(from: URL, to: URL): boolean {
  if (to.username || to.password || withoutWww(from.hostname) !== withoutWww(to.hostname)) return false;
  if (to.protocol === from.protocol) return to.port === from.port;
  return from.protocol === 'http:' && to.protocol === 'https:' && from.port === '' && to.port === '';
}

const LOCAL_PART = /^[a-z\d]+(?:[._+-]+[a-z\d]+)*$/i;
const MAX_LOCAL_PART_LENGTH = 64;

/**
 * Returns the address to which a code is mailed, or null unless it is a plain address at exactly this domain: no
 * display name, quotes, comments or lists.
 */
export function parseClaimAddress(text: string, domain: string): string | null {
  const [local_part = '', given_domain = '', ...rest] = text.trim().split('@');
  if (rest.length > 0 || local_part.length > MAX_LOCAL_PART_LENGTH || !LOCAL_PART.test(local_part)) return null;
  if (given_domain === '' || domainToASCII(given_domain) !== domain) return null;
  return `${local_part}@${domain}`;
}

function withoutWww(host: string): string {
  return host.replace(/^www\./, '');
}

function isShared(host: string): boolean {
  // One for each country.
  if (/(?:^|\.)(?:blogspot|google|yahoo|hotmail)\.[a-z.]+$/.test(host)) return true;
  return SHARED_SITES.some((site) => host === site || host.endsWith(`.${site}`));
}
