import type { Period, Scope } from '@sendlap/contract/leaderboards.ts';
import { isUuidV4 } from '@sendlap/domain/ids.ts';
import { SPORTS, type Sport } from '@sendlap/domain/sports.ts';
import { isBoardKey } from './periods.ts';

export interface BoardFilter {
  period: Period;
  /** A past week or season, '2026-W46' or '2026-Q3'; null: the current one, which the server determines. */
  key: string | null;
  sport: Sport | null;
  sport_center_id: string | null;
  scope: Scope;
}

/** The public board of this week. */
export const DEFAULT_BOARD: BoardFilter = {
  period: 'week',
  key: null,
  sport: null,
  sport_center_id: null,
  scope: 'all',
};

/** Returns the filter in an address, on the local date `today`; ignores invalid parts. */
export function parseBoardFilter(search: string, today: string): BoardFilter {
  const query = new URLSearchParams(search);
  const center = query.get('center');
  const key = query.get('key');
  const period = (['season', 'all'] as const).find((name) => name === query.get('period')) ?? 'week';
  return {
    period,
    key: key !== null && period !== 'all' && isBoardKey(period, key, today) ? key : null,
    sport: SPORTS.find((sport) => sport === query.get('sport')) ?? null,
    sport_center_id: isUuidV4(center) ? center : null,
    scope: query.get('scope') === 'friends' ? 'friends' : 'all',
  };
}

/** Returns the address of a filter: '' or '?period=…&key=…&sport=…&center=…&scope=…'. */
export function formatBoardFilter({ period, key, sport, sport_center_id, scope }: BoardFilter): string {
  const query = new URLSearchParams();
  if (period !== 'week') query.set('period', period);
  if (key) query.set('key', key);
  if (sport) query.set('sport', sport);
  if (sport_center_id) query.set('center', sport_center_id);
  if (scope !== 'all') query.set('scope', scope);
  return query.size > 0 ? `?${query}` : '';
}

/** Whether the server's change may affect this board; true if unsure. */
export function isAffectedBy(filter: BoardFilter, change: { key: string; sport_center_id: string }): boolean {
  const other_center = filter.sport_center_id !== null && filter.sport_center_id !== change.sport_center_id;
  const other_week = filter.period === 'week' && filter.key !== null && filter.key !== change.key;
  return !other_center && !other_week;
}
