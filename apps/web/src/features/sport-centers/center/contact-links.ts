import type { SportCenter } from '@sendlap/contract/sport-centers.ts';
import { readPhoneNumbers } from '@sendlap/domain/contact-details.ts';

/** The way to a center in the device's own map app: whichever it is on Android, Apple's on iOS; null elsewhere. */
export function directionsAppUrl({ latitude, longitude, name }: SportCenter, user_agent: string): string | null {
  const spot = `${latitude},${longitude}`;
  if (/Android/.test(user_agent)) return `geo:${spot}?q=${spot}(${encodeURIComponent(name)})`;
  if (/iPhone|iPad/.test(user_agent)) return `https://maps.apple.com/?daddr=${spot}&q=${encodeURIComponent(name)}`;
  return null;
}

/** The way to a center on OpenStreetMap's route page, for a device without a map app. */
export function directionsWebUrl({ latitude, longitude }: SportCenter): string {
  return `https://www.openstreetmap.org/directions?to=${encodeURIComponent(`${latitude},${longitude}`)}`;
}

/** What a person reads of a web address: 'climbat.com' of 'https://www.climbat.com/en/'. */
export function siteName(url: string): string {
  return new URL(url).hostname.replace(/^www\./, '');
}

/** The first number of a text such as '+34 93 411 55 00; 93 411 55 01'; null where there is none. */
export function phoneUrl(phone: string | null): string | null {
  const numbers = phone && readPhoneNumbers(phone);
  const first = numbers?.split(/[;/]|ext|x|#/i)[0]?.replaceAll(/[^\d+]/g, '') ?? '';
  return /^\+?\d{3,15}$/.test(first) ? `tel:${first}` : null;
}

/**
 * Sources are written by many hands: only http(s) becomes a link, never `javascript:` and never one with a user or a
 * password, which looks like another host's; a bare domain gets https.
 */
export function webUrl(url: string | null): string | null {
  const text = url?.trim() ?? '';
  const whole = /^[a-z][a-z\d+.-]*:/i.test(text) ? text : `https://${text}`;
  if (!URL.canParse(whole)) return null;
  const { protocol, hostname, href, username, password } = new URL(whole);
  return /^https?:$/.test(protocol) && hostname.includes('.') && !username && !password ? href : null;
}
