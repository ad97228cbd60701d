import { UUID_V4_PATTERN } from '@sendlap/domain/ids.ts';
import { INTENSITIES } from '@sendlap/domain/sports/sport-record.ts';
import { MAX_DISTANCE_M, SPORTS } from '@sendlap/domain/sports.ts';
import * as z from 'zod/mini';

/** Small schemas that several nouns share. */
export const Uuid = z.string().check(z.regex(UUID_V4_PATTERN, 'must be a UUID v4'), z.toLowerCase());
/**
 * ISO 8601 in UTC, e.g. 2026-11-21T10:00:00Z; normalised, so that equal moments are equal texts. Only the years 2000 to
 * 2100: no other year is meaningful, and beyond them dates and databases begin to differ.
 */
export const Timestamp = timestampBetween(2000, 2100);
/** A time of the device's own clock: a `Timestamp` that stays valid when corrected by up to `MAX_CLOCK_OFFSET_MS`. */
export const DeviceTime = timestampBetween(2001, 2099);
export const MAX_CLOCK_OFFSET_MS = 365 * 86_400_000;

function timestampBetween(first_year: number, last_year: number) {
  return z.iso.datetime().check(
    z.overwrite(normalizeTimestamp),
    z.refine((text) => isWithin(new Date(text).getUTCFullYear(), first_year, last_year), {
      message: `must be of the years ${first_year} to ${last_year}`,
    }),
  );
}

/** An invalid date has no year, and an earlier check has already refused it. */
function isWithin(year: number, first: number, last: number): boolean {
  return Number.isNaN(year) || (year >= first && year <= last);
}

/** Returns an invalid date unchanged: the previous check refuses it, but zod still runs this one. */
function normalizeTimestamp(text: string): string {
  const moment = new Date(text);
  return Number.isNaN(moment.getTime()) ? text : moment.toISOString();
}

export const Latitude = z.number().check(z.gte(-90), z.lte(90));
export const Longitude = z.number().check(z.gte(-180), z.lte(180));
export const Sport = z.enum(SPORTS);
export const Intensity = z.enum(INTENSITIES);
/** Whole metres. */
export const Distance = z.number().check(z.int(), z.gte(0), z.lte(MAX_DISTANCE_M));
/** Whole seconds between start and end in which the athlete had paused: at most all of them. */
export const PausedSeconds = z.number().check(z.int(), z.gte(0));
export const Empty = z.object({});

/** Parses numbers in query parameters; refuses `Infinity`, hex and empty text. */
export function numericText(number: z.ZodMiniNumber<number>) {
  return z.pipe(
    z.pipe(
      z.string().check(z.regex(/^-?\d{1,9}(\.\d{1,20})?$/, 'must be a number')),
      z.transform((text) => Number(text)),
    ),
    number,
  );
}

export const Limit = z._default(numericText(z.number().check(z.int(), z.gte(1), z.lte(100))), 20);
export const Cursor = z.optional(z.string().check(z.minLength(1), z.maxLength(512)));

/** A page of a list: `next_cursor` is null on the last one. */
export function page<Item extends z.ZodMiniType>(item: Item) {
  return z.object({ items: z.array(item), next_cursor: z.nullable(z.string()) });
}

/** The secret of a one-time invite, as its QR contains it. */
export const InviteSecret = z.string().check(z.regex(/^[A-Za-z0-9_-]{8,64}$/, 'must be an invite code'));
