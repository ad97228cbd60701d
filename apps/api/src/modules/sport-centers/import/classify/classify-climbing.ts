import type { SourceRecord, Tags, Verdict } from '../read/types.ts';
import {
  BARE_CLIMBING,
  BUILT_CLIMBING,
  CLIMBING_WORD,
  CRAG,
  NATURAL_SITE,
  ROPES_COURSE,
  VIA_FERRATA,
} from './name-patterns.ts';
import { refuse, type SportRules } from './sport-rules.ts';

const ROCK =
  /^(?:cliff|rock|stone|bare_rock|peak|arete|ridge|rocks|cave_entrance|boulder|gorge|valley|scree|sinkhole)$/;
const ROCK_CLIMBING =
  /^(?:crag|area|sector|route|route_bottom|route_top|route_top;route_bottom|boulder|site|summit|cliff|sport|trad|traditional|deepwater|ice)$/;
/** Keys used only for rock. */
const ROCK_KEYS = /^(?:rock|climbing:(?:rock|multipitch|trad|crag))$/;
/** Keys that describe routes on rock; some describe halls too, so an address outweighs them. */
const ROUTE_KEYS =
  /^climbing:(?:bolted|bolts|orientation|quality|grade|routes|deepwater|ice|mixed|best_season|summit_log)/;
const CENTER_LEISURE = /^(?:sports_cent(?:re|er)|sport_cent(?:re|er)|sports_hall|fitness_centre|sports_club)$/;
const OUTDOOR_LEISURE =
  /^(?:pitch|playground|track|fitness_station|park|garden|common|nature_reserve|recreation_ground)$/;

/**
 * Decides whether a record is a built center for climbing. OpenStreetMap uses `sport=climbing` for crags and halls
 * alike, and `leisure=sports_centre` was put on thousands of crags when `sport` alone drew no icon: so a center needs a
 * sign of a built center (building, indoor, address, contact, hours, entrance fee, or a telling name).
 */
function classifyClimbing(record: SourceRecord, name: string): Verdict | null {
  if (record.declared_sports !== null) return judgeDeclared(record, name);
  const { tags } = record;
  const climbs = /(?:^|;)\s*(?:(?:rock|indoor|sport)[_ ])?(?:climbing|bouldering)/.test(tags.sport ?? '');
  if (!climbs && tags.amenity !== 'climbing_gym' && tags.leisure !== 'climbing_gym') return null;
  const indoor = isIndoor(tags);
  return (
    refuseRopesCourse(tags, name, indoor) ??
    refuseRock(tags, name, indoor) ??
    refuseUnbuilt(tags, indoor) ??
    judgeEvidence(tags, name, indoor)
  );
}

export const CLIMBING_RULES: SportRules = {
  verb: 'climb',
  classify: classifyClimbing,
  overpass: {
    sport: 'climbing|bouldering',
    leisure: 'climbing_gym',
    amenity: 'climbing_gym',
    leisure_by_name: null,
  },
  kind_words:
    'climbing climb boulder bouldering boulders rock wall walls kletterhalle kletterzentrum boulderhalle kletter klettern ' +
    'escalade escalada rocodromo rocodrom mur arrampicata',
  bare_kind: BARE_CLIMBING,
  part: null,
};

/** A normalised file states its sports; refused only if the names plainly contradict that. */
function judgeDeclared(record: SourceRecord, name: string): Verdict | null {
  if (!record.declared_sports?.includes('climbing')) return null;
  return refuseRopesCourse(record.tags, name, false) ?? refuseNaturalSite(record.tags, name) ?? { ok: true };
}

function refuseNaturalSite(tags: Tags, name: string): Verdict | null {
  if (hasContact(tags) || BUILT_CLIMBING.test(name) || !NATURAL_SITE.test(name)) return null;
  return refuse('crag', 'its name is that of a natural crag, and it has neither address nor contact');
}

function refuseRopesCourse(tags: Tags, name: string, indoor: boolean): Verdict | null {
  if (
    /ropes_course|adventure_park|treetop/.test(
      `${tags.leisure} ${tags.climbing} ${tags.tourism} ${tags.attraction} ${tags.sport}`,
    )
  ) {
    return refuse('ropes_course', 'it is a ropes course');
  }
  if (!indoor && ROPES_COURSE.test(name) && !BUILT_CLIMBING.test(name)) {
    return refuse('ropes_course', 'its name is that of a ropes course');
  }
  return null;
}

function refuseRock(tags: Tags, name: string, indoor: boolean): Verdict | null {
  if (tags.highway === 'via_ferrata' || VIA_FERRATA.test(name)) return refuse('via_ferrata', 'it is a via ferrata');
  if (indoor) return null;
  for (const key of ['natural', 'geological'] as const) {
    if (ROCK.test(tags[key] ?? '')) return refuse('crag', `it is natural rock: ${key}=${tags[key]}`);
  }
  if (ROCK_CLIMBING.test(tags.climbing ?? '')) return refuse('crag', `it is natural rock: climbing=${tags.climbing}`);
  if (/crag|skal|skał|felswand|falesia|rock climbing|traditional|route|скальн/i.test(tags.leisure ?? '')) {
    return refuse('crag', `it is natural rock: leisure=${tags.leisure}`);
  }
  if (BUILT_CLIMBING.test(name)) return null;
  const rock = findKey(tags, ROCK_KEYS) ?? (hasAddressAndContact(tags) ? undefined : findKey(tags, ROUTE_KEYS));
  if (rock !== undefined) return refuse('crag', `it is described as natural rock: ${rock}=${tags[rock]}`);
  if (NATURAL_SITE.test(name) || (CRAG.test(name) && !hasContact(tags))) {
    return refuse('crag', 'its name is that of a natural crag');
  }
  return null;
}

function findKey(tags: Tags, keys: RegExp): string | undefined {
  return Object.keys(tags).find((key) => keys.test(key) && tags[key] !== 'no' && tags[key] !== '0');
}

function refuseUnbuilt(tags: Tags, indoor: boolean): Verdict | null {
  if (!CENTER_LEISURE.test(tags.leisure ?? '')) {
    if (tags.shop !== undefined) return refuse('shop_or_office', `it is a shop: ${tags.shop}`);
    const office = tags.office ?? tags.club;
    if (office !== undefined) return refuse('shop_or_office', `it is the seat of a club or an office: ${office}`);
  }
  if (indoor || !OUTDOOR_LEISURE.test(tags.leisure ?? '')) return null;
  return refuse('pitch_or_playground', `it is an outdoor wall or boulder: leisure=${tags.leisure}`);
}

function judgeEvidence(tags: Tags, name: string, indoor: boolean): Verdict {
  if (tags.amenity === 'climbing_gym' || tags.leisure === 'climbing_gym') return { ok: true };
  const center = CENTER_LEISURE.test(tags.leisure ?? '');
  const telling = BUILT_CLIMBING.test(name);
  if (
    telling ||
    (indoor && (center || name !== '')) ||
    (center && (hasSignOfBuilding(tags) || CLIMBING_WORD.test(name)))
  ) {
    return { ok: true };
  }
  if (!center && tags.leisure === undefined && tags.tourism === undefined && hasAddressAndContact(tags))
    return { ok: true };
  if (center) {
    const reason =
      'it is tagged as a sports center for climbing, but nothing shows a built one: no building, address, contact, hours or telling name';
    return refuse('no_evidence', reason);
  }
  return refuse('crag', 'sport=climbing alone means natural rock, and nothing shows a built center');
}

function isIndoor(tags: Tags): boolean {
  return (
    tags.indoor === 'yes' ||
    (tags.building !== undefined && tags.building !== 'no') ||
    tags['climbing:indoor'] === 'yes'
  );
}

function hasAddress(tags: Tags): boolean {
  return Boolean(tags['addr:street'] ?? tags['addr:housenumber'] ?? tags['addr:full'] ?? tags['contact:street']);
}

/** `url` does not count: on crags it links to a topo. */
function hasContact(tags: Tags): boolean {
  const contact = tags.phone ?? tags['contact:phone'] ?? tags.website ?? tags['contact:website'];
  return hasAddress(tags) || contact !== undefined;
}

function hasAddressAndContact(tags: Tags): boolean {
  return hasAddress(tags) && (hasHours(tags) || tags.website !== undefined || tags.phone !== undefined);
}

function hasHours(tags: Tags): boolean {
  return tags.opening_hours !== undefined && tags.opening_hours !== '24/7';
}

function hasSignOfBuilding(tags: Tags): boolean {
  return (
    hasContact(tags) || hasHours(tags) || tags.fee === 'yes' || tags.amenity !== undefined || tags.level !== undefined
  );
}
