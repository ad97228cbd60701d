import type { SportCenter } from '@sendlap/contract/sport-centers.ts';
import { extractPhoneNumbers } from '@sendlap/domain/contact-details.ts';

/** A directions link for the device's map app: any app on Android, Apple Maps on iOS; null elsewhere. */
export function directionsAppUrl({ latitude, longitude, name }: SportCenter, user_agent: string): string | null {
  const coordinates = `${latitude},${longitude}`;
  if (/Android/.test(user_agent)) return `geo:${coordinates}?q=${coordinates}(${encodeURIComponent(name)})`;
  if (/iPhone|iPad/.test(user_agent))
    return `https://maps.apple.com/?daddr=${coordinates}&q=${encodeURIComponent(name)}`;
  return null;
}

/** A directions link to OpenStreetMap, for a device without a map app. */
export function directionsWebUrl({ latitude, longitude }: SportCenter): string {
  return `https://www.openstreetmap.org/directions?to=${encodeURIComponent(`${latitude},${longitude}`)}`;
}

/** A link to the first number of a text such as '+34 93 411 55 00; 93 411 55 01'; null without a number. */
export function phoneUrl(phone: string | null): string | null {
  const numbers = phone && extractPhoneNumbers(phone);
  const first = numbers?.split(/[;/]|ext|x|#/i)[0]?.replaceAll(/[^\d+]/g, '') ?? '';
  return /^\+?\d{3,15}$/.test(first) ? `tel:${first}` : null;
}

/**
 * Sources are edited by many people: only http(s) becomes a link, never `javascript:` and never a URL with a user or a
 * password, which can imitate another host; a bare domain gets https.
 */
export function webUrl(url: string | null): string | null {
  const text = url?.trim() ?? '';
  const fullUrl = /^[a-z][a-z\d+.-]*:/i.test(text) ? text : `https://${text}`;
  if (!URL.canParse(fullUrl)) return null;
  const { protocol, hostname, href, username, password } = new URL(fullUrl);
  return /^https?:$/.test(protocol) && hostname.includes('.') && !username && !password ? href : null;
}
