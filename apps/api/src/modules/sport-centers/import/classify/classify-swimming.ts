import type { SourceRecord, Verdict } from '../read/types.ts';
import { BARE_SWIMMING, BUILT_SWIMMING, POOL_PART, SPRAY_PARK } from './name-patterns.ts';
import { refuse, type SportRules } from './sport-rules.ts';

/** Kinds of places where swimming is possible if their names or sports say so; also sent to Overpass servers. */
const SWIM_CENTER_LEISURE = /^(sports_cent(re|er)|sports_hall|fitness_centre|water_park|sports_club|park|stadium)$/;

/**
 * Decides whether a record is a built center for swimming. A pool counts only with its own name: the millions of pools
 * without one are in gardens and hotel yards.
 */
function classifySwimming(record: SourceRecord, name: string): Verdict | null {
  const { tags } = record;
  if (record.declared_sports !== null) {
    if (!record.declared_sports.includes('swimming')) return null;
    if (SPRAY_PARK.test(name)) return refuse('spray_park', 'one gets wet in a spray park, one cannot swim there');
    return { ok: true };
  }
  const swims = /(?:^|;)\s*swimming(?:;|$)/.test(tags.sport ?? '');
  const pool = tags.leisure === 'swimming_pool' || tags.amenity === 'swimming_pool' || tags.amenity === 'public_bath';
  const named = BUILT_SWIMMING.test(name) && tags.sport === undefined && SWIM_CENTER_LEISURE.test(tags.leisure ?? '');
  if (!swims && !pool && !named) return null;
  if (SPRAY_PARK.test(name)) return refuse('spray_park', 'one gets wet in a spray park, one cannot swim there');
  if (/^(?:swimming_area|bathing_place|beach_resort)$/.test(tags.leisure ?? '') || tags.natural !== undefined) {
    return refuse('bathing_place', 'it is a place to bathe in open water, not a sport center');
  }
  if (name === '')
    return refuse('no_name', pool ? 'a pool without a name: most are in gardens and hotels' : 'it has no name');
  if (tags.shop !== undefined) return refuse('shop_or_office', `it is a shop: ${tags.shop}`);
  if (pool || named || SWIM_CENTER_LEISURE.test(tags.leisure ?? '') || tags.building !== undefined) return { ok: true };
  return refuse('no_evidence', 'one can swim there, but nothing shows a pool or a sports center');
}

export const SWIMMING_RULES: SportRules = {
  verb: 'swim',
  classify: classifySwimming,
  overpass: {
    sport: 'swimming',
    leisure: 'swimming_pool',
    amenity: 'swimming_pool|public_bath',
    leisure_by_name: SWIM_CENTER_LEISURE,
  },
  kind_words:
    'swimming swim pool pools baths bath aquatic aquatics piscina piscinas piscine schwimmbad hallenbad freibad bad zwembad',
  bare_kind: BARE_SWIMMING,
  part: POOL_PART,
};
