import { UUID_V4_PATTERN } from '@sendlap/domain/ids.ts';
import { INTENSITIES, SPORTS } from '@sendlap/domain/scoring.ts';
import * as z from 'zod/mini';

/** The small shapes that several nouns share. */
export const Uuid = z.string().check(z.regex(UUID_V4_PATTERN, 'must be a UUID v4'), z.toLowerCase());
/**
 * ISO 8601 in UTC, e.g. 2026-11-21T10:00:00Z; read into one form, so that equal moments are equal texts. Only of the
 * years 2000 to 2100: further out there is nothing to say, and dates and databases begin to differ.
 */
export const Timestamp = timestampOf(2000, 2100);
/** What a device's own clock says: as a `Timestamp`, and still one when it is corrected by up to `MAX_CLOCK_OFFSET_MS`. */
export const DeviceTime = timestampOf(2001, 2099);
export const MAX_CLOCK_OFFSET_MS = 365 * 86_400_000;

function timestampOf(first_year: number, last_year: number) {
  return z.iso.datetime().check(
    z.overwrite(inOneForm),
    z.refine((text) => isWithin(new Date(text).getUTCFullYear(), first_year, last_year), {
      message: `must be of the years ${first_year} to ${last_year}`,
    }),
  );
}

/** What is no moment has no year; that it is none was said before. */
function isWithin(year: number, first: number, last: number): boolean {
  return Number.isNaN(year) || (year >= first && year <= last);
}

/** What is no moment stays as it is: the check before refuses it, but does not keep it from coming here. */
function inOneForm(text: string): string {
  const moment = new Date(text);
  return Number.isNaN(moment.getTime()) ? text : moment.toISOString();
}

export const Latitude = z.number().check(z.gte(-90), z.lte(90));
export const Longitude = z.number().check(z.gte(-180), z.lte(180));
export const Sport = z.enum(SPORTS);
export const Intensity = z.enum(INTENSITIES);
export const Nothing = z.object({});

/** Query parameters arrive as text; `Infinity`, hex and empty text are not numbers here. */
export function numberText(number: z.ZodMiniNumber<number>) {
  return z.pipe(
    z.pipe(
      z.string().check(z.regex(/^-?\d{1,9}(\.\d{1,20})?$/, 'must be a number')),
      z.transform((text) => Number(text)),
    ),
    number,
  );
}

export const Limit = z._default(numberText(z.number().check(z.int(), z.gte(1), z.lte(100))), 20);
export const Cursor = z.optional(z.string().check(z.minLength(1), z.maxLength(512)));

/** A page of a list: `next_cursor` is null on the last one. */
export function page<Item extends z.ZodMiniType>(item: Item) {
  return z.object({ items: z.array(item), next_cursor: z.nullable(z.string()) });
}

/** The secret of a one-time invite, as its QR holds it. */
export const InviteSecret = z.string().check(z.regex(/^[A-Za-z0-9_-]{8,64}$/, 'must be an invite code'));
