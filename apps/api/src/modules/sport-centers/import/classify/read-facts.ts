import { extractPhoneNumbers } from '@sendlap/domain/contact-details.ts';
import { foldName } from '../read/fold-name.ts';
import { truncateText } from '../read/read-text.ts';
import type { Tags } from '../read/types.ts';

const MAX_NAME = 200;
const MAX_TEXT = 300;
const MAX_PHONE = 100;
const MAX_OTHER_NAMES = 100;

/** Returns the common name of a center; a brand substitutes for a missing name, an operator does not. */
export function readName(tags: Tags): string | null {
  const name = tags.name ?? tags.official_name ?? tags.brand ?? null;
  return name === null || foldName(name) === '' ? null : truncateText(name, MAX_NAME);
}

/**
 * Names in other languages and older or shorter ones, without duplicates: the first hundred in the order of the tag
 * keys.
 */
export function readOtherNames(tags: Tags, name: string): string[] {
  const names: string[] = [];
  const seen = new Set([foldName(name)]);
  for (const key of Object.keys(tags).sort()) {
    if (
      !/^(?:alt_name|short_name|official_name|old_name|int_name|loc_name|branch|brand|name:[a-z]{2,3}(?:-\w+)?)$/.test(
        key,
      )
    )
      continue;
    for (const part of (tags[key] ?? '').split(';')) {
      const text = truncateText(part.trim(), MAX_NAME);
      const folded = foldName(text);
      if (folded === '' || seen.has(folded)) continue;
      seen.add(folded);
      names.push(text);
    }
  }
  return names.slice(0, MAX_OTHER_NAMES);
}

export function readCity(tags: Tags): string | null {
  const city = tags['addr:city'] ?? tags['contact:city'];
  return city === undefined ? null : truncateText(city, MAX_NAME);
}

/** One line: street and number, then the postcode; the city has its own field. */
export function readAddress(tags: Tags): string | null {
  const street = tags['addr:street'] ?? tags['addr:place'] ?? tags['contact:street'];
  const number = tags['addr:housenumber'] ?? tags['contact:housenumber'];
  const line = tags['addr:full'] ?? (street === undefined ? undefined : [street, number].filter(Boolean).join(' '));
  const postcode = tags['addr:postcode'] ?? tags['contact:postcode'];
  if (line === undefined) return null;
  const whole = postcode === undefined || line.includes(postcode) ? line : `${line}, ${postcode}`;
  return truncateText(whole, MAX_TEXT);
}

export function readPhone(tags: Tags): string | null {
  const given = tags.phone ?? tags['contact:phone'] ?? tags['phone:mobile'];
  const phone = given === undefined ? null : extractPhoneNumbers(given);
  return phone === null || phone.length > MAX_PHONE ? null : phone;
}

/** Returns the first address if it is http(s); one without a scheme gets https. */
export function readUrl(tags: Tags): string | null {
  const given = tags.website ?? tags['contact:website'] ?? tags.url;
  if (given === undefined) return null;
  const first = given.split(/;\s*|,\s+|\s+/)[0] ?? '';
  const address = /^[a-z][a-z\d+.-]*:/i.test(first) ? first : `https://${first.replace(/^\/\//, '')}`;
  return address.length > MAX_TEXT * 4 ? null : toSafeWebAddress(address);
}

/** `access` as in OpenStreetMap: a pool for a hotel's guests is private to all others. Null = unknown. */
export function readPrivacy(tags: Tags): boolean | null {
  const access = tags.access ?? '';
  if (/^(?:private|no|customers|members|permit|residents)$/.test(access)) return true;
  return /^(?:yes|public|permissive)$/.test(access) ? false : null;
}

/**
 * Returns the text if it is a web address safe to link, else null: another scheme (javascript:, mail), an address
 * without two slashes and a host, which a browser could resolve as a path of our own site, or one with a user or
 * password, which looks like another host's.
 */
function toSafeWebAddress(text: string): string | null {
  if (!/^https?:\/\/[^/\\]/i.test(text)) return null;
  const url = URL.parse(text);
  return url?.hostname.includes('.') && !url.username && !url.password ? text : null;
}
