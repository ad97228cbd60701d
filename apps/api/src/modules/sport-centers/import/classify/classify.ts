import { SPORTS, type Sport } from '@sendlap/domain/scoring.ts';
import { createPlaces } from '#api/modules/places/service.ts';
import { foldName } from '../read/fold-name.ts';
import { refOf } from '../read/parse.ts';
import { countryAt, timeZoneAt } from '../read/time-zone.ts';
import type { Center, Place, Refusal, RefusalCode, Verdict } from '../read/types.ts';
import { findClimbing } from './classify-climbing.ts';
import { findSwimming } from './classify-swimming.ts';
import { readAddress, readCity, readName, readOtherNames, readPhone, readPrivacy, readUrl } from './read-facts.ts';

export type Classified = { center: Center } | { refusal: Refusal };

const places = createPlaces();

const CLOSED = /^(?:disused|abandoned|demolished|razed|was|removed):(?:sport|leisure|building|amenity)$/;

/**
 * Decides whether a place is a sport center for climbing or swimming, and converts its tags into a center. Every place
 * yields exactly one center or one refusal with a reason.
 */
export function classify(place: Place): Classified {
  const name = readName(place.tags);
  const refuse = (code: RefusalCode, reason: string): Classified => ({
    refusal: { index: place.index, ref: refOf(place), name, code, reason },
  });
  const closed = Object.keys(place.tags).find((key) => CLOSED.test(key));
  if (closed !== undefined) return refuse('closed_down', `it has closed down: ${closed}=${place.tags[closed]}`);
  if (/^(?:closed|off)$/.test(place.tags.opening_hours ?? ''))
    return refuse('closed_down', 'its opening hours say "closed"');

  const sports: Sport[] = [];
  let refused: Verdict | null = null;
  for (const sport of SPORTS) {
    const verdict = (sport === 'climbing' ? findClimbing : findSwimming)(place, foldName(name ?? ''));
    if (verdict?.ok) sports.push(sport);
    else refused ??= verdict;
  }
  if (sports.length === 0) {
    if (refused !== null && !refused.ok) return refuse(refused.code, refused.reason);
    return refuse('other_sport', `nothing says that one can climb or swim there${sportWords(place)}`);
  }
  if (name === null) return refuse('no_name', 'it has no name');
  return { center: toCenter(place, name, sports) };
}

function sportWords(place: Place): string {
  const said = place.tags.sport ?? place.tags.leisure ?? null;
  return said === null ? '' : ` (it is tagged ${said})`;
}

function toCenter(place: Place, name: string, sports: Sport[]): Center {
  const { tags, latitude, longitude } = place;
  const declared = tags['addr:country']?.toUpperCase() ?? '';
  return {
    source: place.source,
    source_ref: place.source_ref,
    name,
    address: readAddress(tags),
    city: readCity(tags),
    country: /^[A-Z]{2}$/.test(declared) ? declared : countryAt(latitude, longitude),
    latitude,
    longitude,
    phone: readPhone(tags),
    url: readUrl(tags),
    is_private: readPrivacy(tags),
    time_zone: timeZoneAt(latitude, longitude),
    licence: place.licence ?? 'unknown',
    attribution: attributionOf(place),
    other_names: readOtherNames(tags, name),
    place_names: places.namesAround(place),
    sports,
  };
}

/** OpenStreetMap requires exactly this line; other sources are credited by the title of their collection. */
function attributionOf(place: Place): string {
  return place.source === 'osm' ? '© OpenStreetMap contributors' : (place.dataset ?? place.source);
}
