import type { Leaderboard, Period, Scope } from '@sendlap/contract/leaderboards.ts';
import {
  type DateRange,
  isoWeekAt,
  isoWeekRange,
  isoWeekWorldwide,
  latestDate,
  seasonKey,
  seasonRange,
} from '@sendlap/domain/dates.ts';
import { HOUR_MS } from '@sendlap/domain/durations.ts';
import type { Sport } from '@sendlap/domain/sports.ts';
import { LRUCache } from 'lru-cache';
import { AppError } from '#api/platform/errors.ts';
import { isFinal } from './final-weeks.ts';
import { ALL_CENTERS, type Board } from './ranks/boards.ts';

export interface BoardQuery {
  period: Period;
  key?: string | undefined;
  sport?: Sport | undefined;
  sport_center_id?: string | undefined;
  scope: Scope;
}

/** A board and its period. */
export interface ResolvedBoard {
  board: Board;
  period: Leaderboard['period'];
}

const MAX_RANGES = 1_000;

/** Cached per hour, because every call needs it and it changes only on the hour. */
let hour = { number: Number.NaN, week: undefined as string | undefined, latest_date: '' };
const ranges = new LRUCache<string, DateRange>({ max: MAX_RANGES });

function getHour(now_ms: number): typeof hour {
  const number = Math.floor(now_ms / HOUR_MS);
  if (hour.number !== number) hour = { number, week: isoWeekWorldwide(now_ms), latest_date: latestDate(now_ms) };
  return hour;
}

/**
 * Resolves a query to its board. `findZone` returns the time zone that decides the week; called only when the week
 * differs around the earth. Throws `validation_failed` for a key that does not fit the period, does not exist in its
 * year ('2025-W53'), or has not begun anywhere.
 */
export async function resolveBoard(
  { period, key, sport, sport_center_id }: BoardQuery,
  now_ms: number,
  findZone: () => Promise<string>,
): Promise<ResolvedBoard> {
  const period_key = key ?? (await currentKey(period, now_ms, findZone));
  const board: Board = {
    period: period_key,
    sport: sport ?? 'all',
    sport_center_id: sport_center_id ?? ALL_CENTERS,
  };
  if (period === 'all') {
    if (period_key !== 'all') throw badKey('must be "all" for all time');
    return { board, period: { key: period_key, starts_on: null, ends_on: null, provisional: true } };
  }
  const { starts_on, ends_on } = getRange(period, period_key);
  if (starts_on > getHour(now_ms).latest_date) throw badKey('has not begun yet');
  return { board, period: { key: period_key, starts_on, ends_on, provisional: !isFinal(ends_on, now_ms) } };
}

async function currentKey(period: Period, now_ms: number, findZone: () => Promise<string>): Promise<string> {
  if (period === 'all') return 'all';
  const week_key = getHour(now_ms).week ?? isoWeekAt(now_ms, await findZone());
  return period === 'week' ? week_key : seasonKey(week_key);
}

function getRange(period: 'week' | 'season', key: string): DateRange {
  const known = ranges.get(`${period} ${key}`);
  if (known) return known;
  try {
    const range = period === 'week' ? isoWeekRange(key) : seasonRange(key);
    ranges.set(`${period} ${key}`, range);
    return range;
  } catch (error) {
    throw badKey(period === 'week' ? 'must be a week that there is, like 2026-W47' : 'must be like 2026-Q4', error);
  }
}

function badKey(message: string, cause?: unknown): AppError {
  return new AppError('validation_failed', `query/key: ${message}`, {
    details: [{ path: 'query/key', message }],
    cause,
  });
}
