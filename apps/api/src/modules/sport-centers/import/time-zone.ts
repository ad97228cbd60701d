import lookUpTimeZone from '@photostructure/tz-lookup';

const COUNTRIES = countriesByTimeZone();

/** The IANA time zone at a place; at sea `Etc/GMT…`. Latitude and longitude must be in range. */
export function timeZoneAt(latitude: number, longitude: number): string {
  return lookUpTimeZone(latitude, longitude);
}

/**
 * The country (ISO 3166-1 alpha-2) whose time zone is in force at a place, null where several share it or none does.
 * This is a country guessed from the time zone: wrong near borders and for overseas territories.
 */
export function countryAt(latitude: number, longitude: number): string | null {
  return COUNTRIES.get(timeZoneAt(latitude, longitude)) ?? null;
}

/** Intl lists the zones of each country; turned round, a zone that one country alone uses names that country. */
function countriesByTimeZone(): Map<string, string> {
  const found = new Map<string, string | null>();
  const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
  for (const country of letters.flatMap((first) => letters.map((second) => first + second))) {
    const locale = new Intl.Locale(`und-${country}`);
    // Withdrawn codes (DD, FX, SU, UK …) are spelled as their heirs by canonicalisation and would count twice.
    if (locale.maximize().region !== country) continue;
    for (const zone of locale.getTimeZones() ?? []) {
      for (const name of new Set([zone, canonical(zone)]))
        found.set(name, found.has(name) && found.get(name) !== country ? null : country);
    }
  }
  const unique = [...found].filter((entry): entry is [string, string] => entry[1] !== null);
  return new Map(unique);
}

function canonical(zone: string): string {
  return new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone;
}
