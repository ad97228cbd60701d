import { isUuidV4 } from '@sendlap/domain/ids.ts';
import { SPORTS, type Sport } from '@sendlap/domain/scoring.ts';
import type { BoardFilter } from './queries.ts';

function isSport(value: string | null): value is Sport {
  return SPORTS.some((sport) => sport === value);
}

/** The filter that an address names; what makes no sense is left out. */
export function readBoardFilter(search: string): BoardFilter {
  const query = new URLSearchParams(search);
  const sport = query.get('sport');
  const center = query.get('center');
  return { sport: isSport(sport) ? sport : null, sport_center_id: isUuidV4(center) ? center : null };
}

/** '' or '?sport=…&center=…': the address of a filter. */
export function writeBoardFilter({ sport, sport_center_id }: BoardFilter): string {
  const query = new URLSearchParams();
  if (sport) query.set('sport', sport);
  if (sport_center_id) query.set('center', sport_center_id);
  return query.size > 0 ? `?${query}` : '';
}
