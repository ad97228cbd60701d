import { createHash } from 'node:crypto';
import { Uuid } from '@sendlap/contract/schemas.ts';
import * as z from 'zod/mini';
import { AppError } from '#api/platform/errors.ts';
import { compare, type Hit } from './center-index.ts';

/** The last item of a page: where the next one goes on, even if the data changed in between. */
export interface Place {
  rank: number | string;
  id: string;
}

const Content = z.tuple([z.union([z.number(), z.string()]), Uuid, z.string()]);

/** Names are cut to this length in a cursor, so that it fits into an address. */
const MAX_NAME_LENGTH = 60;
const TAG_LENGTH = 8;

/** Text for the client to hand back; it belongs to one query and is refused beside another. */
export function writeCursor({ rank, center }: Hit, query: object): string {
  const key = typeof rank === 'string' ? rank.slice(0, MAX_NAME_LENGTH) : rank;
  return Buffer.from(JSON.stringify([key, center.id, tagOf(query)])).toString('base64url');
}

/** Throws `cursor_invalid` for anything that `writeCursor` did not write for this query. */
export function readCursor(cursor: string, query: object, kind: 'number' | 'string'): Place {
  const content = Content.safeParse(parse(cursor));
  if (!content.success) throw invalid();
  const [rank, id, tag] = content.data;
  if (tag !== tagOf(query) || typeof rank !== kind) throw invalid();
  return { rank, id };
}

/** Number of the first hit after the place. `nameOf` gives the whole folded name of a center that still exists. */
export function findNext(hits: readonly Hit[], place: Place, nameOf: (id: string) => string | undefined): number {
  const isCut = typeof place.rank === 'string' && place.rank.length >= MAX_NAME_LENGTH;
  const rank = isCut ? (nameOf(place.id) ?? place.rank) : place.rank;
  let low = 0;
  let high = hits.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const hit = hits[middle];
    if (hit && (compare(hit.rank, rank) || compare(hit.center.id, place.id)) <= 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

function parse(cursor: string): unknown {
  try {
    return JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
  } catch {
    return undefined;
  }
}

function tagOf(query: object): string {
  const text = JSON.stringify(Object.entries(query).sort(([a], [b]) => compare(a, b)));
  return createHash('sha256').update(text).digest('base64url').slice(0, TAG_LENGTH);
}

function invalid(): AppError {
  return new AppError('cursor_invalid', 'This cursor does not belong to this list');
}
