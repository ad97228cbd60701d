import lookUpTimeZone from '@photostructure/tz-lookup';
import { iso1A2Code } from '@rapideditor/country-coder';

/** Remote parts of countries whose reserved codes no other list of countries knows. */
const RESERVED = /^(?:AC|CP|DG|EA|IC|TA)$/;

/** Returns the IANA time zone at a position; at sea `Etc/GMT…`. Latitude and longitude must be in range. */
export function timeZoneAt(latitude: number, longitude: number): string {
  return lookUpTimeZone(latitude, longitude);
}

/**
 * Returns the country or territory (ISO 3166-1 alpha-2) at a position by its borders, null at sea. Wrong within metres
 * of a border.
 */
export function countryAt(latitude: number, longitude: number): string | null {
  const code = iso1A2Code([longitude, latitude], { level: 'territory' });
  if (code === null || !RESERVED.test(code)) return code;
  return iso1A2Code([longitude, latitude], { level: 'country' });
}
