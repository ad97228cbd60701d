import { addDays, localDate } from '@sendlap/domain/dates.ts';
import { SPORTS, type Sport } from '@sendlap/domain/sports.ts';

/** The filter of my history; null: all. Dates are this device's local dates, 'YYYY-MM-DD', both inclusive. */
export interface HistoryFilter {
  sport: Sport | null;
  status: HistoryStatus | null;
  from: string | null;
  to: string | null;
}

export const NO_FILTER: HistoryFilter = { sport: null, status: null, from: null, to: null };

export const HISTORY_STATUSES = ['validated', 'finished', 'rejected'] as const;
type HistoryStatus = (typeof HISTORY_STATUSES)[number];

/** Reads the filter from the URL; ignores invalid values. */
export function readHistoryFilter(query: URLSearchParams): HistoryFilter {
  const date = (name: string) => {
    const text = query.get(name);
    return text !== null && isDate(text) ? text : null;
  };
  return {
    sport: SPORTS.find((sport) => sport === query.get('sport')) ?? null,
    status: HISTORY_STATUSES.find((status) => status === query.get('status')) ?? null,
    from: date('from'),
    to: date('to'),
  };
}

/** Writes the filter into the URL's query; other parameters stay. */
export function writeHistoryFilter(filter: HistoryFilter, query: URLSearchParams): URLSearchParams {
  const written = new URLSearchParams(query);
  for (const [name, value] of Object.entries(filter)) {
    if (value === null) written.delete(name);
    else written.set(name, value);
  }
  return written;
}

function isDate(text: string): boolean {
  try {
    return addDays(text, 0) === text;
  } catch {
    return false;
  }
}

/** Returns the first moment of a local date of this device, ISO 8601; days of 23 or 25 hours are handled. */
function startOfLocalDay(date: string): string {
  return new Date(`${date}T00:00:00`).toISOString();
}

/**
 * Converts the filter's dates into the bounds that the server compares starts with: `from` inclusive, `to` exclusive.
 */
export function historyBounds({ from, to }: Pick<HistoryFilter, 'from' | 'to'>): { from?: string; to?: string } {
  return { ...(from ? { from: startOfLocalDay(from) } : {}), ...(to ? { to: startOfLocalDay(addDays(to, 1)) } : {}) };
}

interface FilterableActivity {
  sport_type: Sport;
  status: string;
  started_at: string;
}

/** Whether an activity, from the server or from this device, matches the filter. `time_zone`: this device's. */
export function matchesHistoryFilter(filter: HistoryFilter, activity: FilterableActivity, time_zone: string): boolean {
  const { sport, status, from, to } = filter;
  const date = localDate(Date.parse(activity.started_at), time_zone);
  return (
    (sport === null || activity.sport_type === sport) &&
    (status === null || activity.status === status) &&
    (from === null || date >= from) &&
    (to === null || date <= to)
  );
}
