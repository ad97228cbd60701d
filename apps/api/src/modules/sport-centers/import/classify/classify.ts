import { SPORTS, type Sport } from '@sendlap/domain/sports.ts';
import { createTownService } from '#api/modules/towns/service.ts';
import { foldName } from '../read/fold-name.ts';
import { refOf } from '../read/open-records.ts';
import { countryAt, timeZoneAt } from '../read/time-zone.ts';
import type { Center, Refusal, RefusalCode, SourceRecord, Verdict } from '../read/types.ts';
import { readAddress, readCity, readName, readOtherNames, readPhone, readPrivacy, readUrl } from './read-facts.ts';
import { RULES_BY_SPORT } from './rules-by-sport.ts';

export type Classification = { center: Center } | { refusal: Refusal };

const towns = createTownService();

/** 'climb or swim' */
const VERBS = new Intl.ListFormat('en', { type: 'disjunction' }).format(
  SPORTS.map((sport) => RULES_BY_SPORT[sport].verb),
);

const CLOSED_KEY = /^(?:disused|abandoned|demolished|razed|was|removed):(?:sport|leisure|building|amenity)$/;

/**
 * Decides whether a record is a sport center of any of the app's sports, and converts its tags into a center. Every
 * record yields exactly one center or one refusal with a reason.
 */
export function classify(record: SourceRecord): Classification {
  const name = readName(record.tags);
  const refuse = (code: RefusalCode, reason: string): Classification => ({
    refusal: { index: record.index, ref: refOf(record), name, code, reason },
  });
  const closed = Object.keys(record.tags).find((key) => CLOSED_KEY.test(key));
  if (closed !== undefined) return refuse('closed_down', `it has closed down: ${closed}=${record.tags[closed]}`);
  if (/^(?:closed|off)$/.test(record.tags.opening_hours ?? ''))
    return refuse('closed_down', 'its opening hours say "closed"');

  const sports: Sport[] = [];
  let refused: Verdict | null = null;
  for (const sport of SPORTS) {
    const verdict = RULES_BY_SPORT[sport].classify(record, foldName(name ?? ''));
    if (verdict?.ok) sports.push(sport);
    else refused ??= verdict;
  }
  if (sports.length === 0) {
    if (refused !== null && !refused.ok) return refuse(refused.code, refused.reason);
    return refuse('other_sport', `nothing says that one can ${VERBS} there${describeSportTag(record)}`);
  }
  if (name === null) return refuse('no_name', 'it has no name');
  return { center: toCenter(record, name, sports) };
}

function describeSportTag(record: SourceRecord): string {
  const said = record.tags.sport ?? record.tags.leisure ?? null;
  return said === null ? '' : ` (it is tagged ${said})`;
}

function toCenter(record: SourceRecord, name: string, sports: Sport[]): Center {
  const { tags, latitude, longitude } = record;
  const declared = tags['addr:country']?.toUpperCase() ?? '';
  return {
    source: record.source,
    source_ref: record.source_ref,
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
    licence: record.licence ?? 'unknown',
    attribution: attributionOf(record),
    other_names: readOtherNames(tags, name),
    place_names: towns.namesAround(record),
    sports,
  };
}

/** OpenStreetMap requires exactly this line; other sources are credited by the title of their collection. */
function attributionOf(record: SourceRecord): string {
  return record.source === 'osm' ? '© OpenStreetMap contributors' : (record.dataset ?? record.source);
}
