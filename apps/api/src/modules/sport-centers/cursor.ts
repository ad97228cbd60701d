import { hash } from 'node:crypto';
import type { Hit, PageEnd } from '@sendlap/center-index/center-index.ts';
import { Uuid } from '@sendlap/contract/wire/schemas.ts';
import { foldText } from '@sendlap/domain/names.ts';
import { compareCodePoints } from '@sendlap/domain/sport-centers.ts';
import * as z from 'zod/mini';
import { cursorInvalid } from '#api/platform/errors.ts';
import type { Snapshot } from './snapshot.ts';

/** Position after the last item of a page: where the next page continues, even if the data changed in between. */
export interface Cursor {
  /** Its distance in km, or its folded name. */
  rank: number | string;
  id: string;
}

const CursorContent = z.tuple([z.union([z.number(), z.string()]), Uuid, z.string()]);

/** Names are cut to this length in a cursor, so that it fits into a URL. */
const MAX_NAME_LENGTH = 60;

/** Returns an opaque text for the client; valid only for the same query. */
export function encodeCursor(snapshot: Snapshot, last: Hit, query: object, is_by_distance: boolean): string {
  const rank = is_by_distance ? last.distance_km : truncatedNameOf(snapshot, last.number);
  const content = [rank, snapshot.index.idOf(last.number), hashQuery(query)];
  return Buffer.from(JSON.stringify(content)).toString('base64url');
}

/** Throws `cursor_invalid` unless `encodeCursor` made the cursor for this query. */
export function decodeCursor(cursor: string, query: object, is_by_distance: boolean): Cursor {
  const content = CursorContent.safeParse(parse(cursor));
  if (!content.success) throw cursorInvalid();
  const [rank, id, tag] = content.data;
  if (tag !== hashQuery(query) || typeof rank !== (is_by_distance ? 'number' : 'string')) throw cursorInvalid();
  return { rank, id };
}

/** Returns where to continue in this snapshot, even if the center is gone or renamed by now. */
export function resolveCursor(snapshot: Snapshot, { rank, id }: Cursor): PageEnd {
  const known = snapshot.index.numberOf(id);
  if (typeof rank === 'number') return { number: known ?? -1, distance_km: rank, id };
  if (known !== undefined && truncatedNameOf(snapshot, known) === rank) return { number: known, distance_km: null };
  return { number: findLastNotAfter(snapshot, rank, id), distance_km: null };
}

/** Among names equal up to the cut, none counts as seen: better shown twice than never. */
function findLastNotAfter(snapshot: Snapshot, name: string, id: string): number {
  let low = 0;
  let high = snapshot.index.size;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const name_order = compareCodePoints(truncatedNameOf(snapshot, middle), name);
    const is_cut = name.length >= MAX_NAME_LENGTH;
    const order = name_order || (is_cut ? 1 : compareCodePoints(snapshot.index.idOf(middle), id));
    if (order <= 0) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

function truncatedNameOf(snapshot: Snapshot, number: number): string {
  return foldText(snapshot.centerAt(number).name).slice(0, MAX_NAME_LENGTH);
}

function parse(cursor: string): unknown {
  try {
    return JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
  } catch {
    return undefined;
  }
}

/** The contract's parser puts the parameters into a fixed order, whatever the URL has. */
function hashQuery(query: object): string {
  return hash('md5', JSON.stringify(query), 'base64url');
}
