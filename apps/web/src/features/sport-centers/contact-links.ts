import type { SportCenter } from '@sendlap/contract/sport-centers.ts';

/** The phone's own map app on Android, Apple's on iOS, OpenStreetMap's route page elsewhere. */
export function directionsUrl({ latitude, longitude, name }: SportCenter, user_agent: string): string {
  const spot = `${latitude},${longitude}`;
  if (/Android/.test(user_agent)) return `geo:${spot}?q=${spot}(${encodeURIComponent(name)})`;
  if (/iPhone|iPad/.test(user_agent)) return `https://maps.apple.com/?daddr=${spot}&q=${encodeURIComponent(name)}`;
  return `https://www.openstreetmap.org/directions?to=${encodeURIComponent(spot)}`;
}

/** The first number of a text such as '+34 93 411 55 00; 93 411 55 01'; null where there is none. */
export function phoneUrl(phone: string | null): string | null {
  const first = phone?.split(/[;,/]/)[0]?.replaceAll(/[^\d+]/g, '') ?? '';
  return /^\+?\d{3,15}$/.test(first) ? `tel:${first}` : null;
}

/** Sources are written by many hands: only http(s) becomes a link, never `javascript:`; a bare domain gets https. */
export function webUrl(url: string | null): string | null {
  const text = url?.trim() ?? '';
  const whole = /^[a-z][a-z\d+.-]*:/i.test(text) ? text : `https://${text}`;
  if (!URL.canParse(whole)) return null;
  const { protocol, hostname, href } = new URL(whole);
  return /^https?:$/.test(protocol) && hostname.includes('.') ? href : null;
}
