import { hash } from 'node:crypto';
import type { After, Hit } from '@sendlap/center-index/center-index.ts';
import { Uuid } from '@sendlap/contract/schemas.ts';
import { foldText } from '@sendlap/domain/names.ts';
import { compareCodePoints } from '@sendlap/domain/sport-centers.ts';
import * as z from 'zod/mini';
import { AppError } from '#api/platform/errors.ts';
import type { Snapshot } from './snapshot.ts';

/** The last item of a page: where the next one goes on, even if the data changed in between. */
export interface Place {
  /** Its distance in km, or its folded name. */
  rank: number | string;
  id: string;
}

const Content = z.tuple([z.union([z.number(), z.string()]), Uuid, z.string()]);

/** Names are cut to this length in a cursor, so that it fits into an address. */
const MAX_NAME_LENGTH = 60;

/** Text for the client to hand back; it belongs to one query and is refused beside another. */
export function writeCursor(snapshot: Snapshot, last: Hit, query: object, is_by_distance: boolean): string {
  const rank = is_by_distance ? last.distance_km : cutNameOf(snapshot, last.number);
  const content = [rank, snapshot.index.idOf(last.number), tagOfQuery(query)];
  return Buffer.from(JSON.stringify(content)).toString('base64url');
}

/** Throws `cursor_invalid` for anything that `writeCursor` did not write for this query. */
export function readCursor(cursor: string, query: object, is_by_distance: boolean): Place {
  const content = Content.safeParse(parse(cursor));
  if (!content.success) throw invalid();
  const [rank, id, tag] = content.data;
  if (tag !== tagOfQuery(query) || typeof rank !== (is_by_distance ? 'number' : 'string')) throw invalid();
  return { rank, id };
}

/** Where to go on in this snapshot, though the center may be gone or called otherwise by now. */
export function findPlace(snapshot: Snapshot, { rank, id }: Place): After {
  const known = snapshot.index.numberOf(id);
  if (typeof rank === 'number') return { number: known ?? -1, distance_km: rank, id };
  if (known !== undefined && cutNameOf(snapshot, known) === rank) return { number: known, distance_km: null };
  return { number: findLastNotAfter(snapshot, rank, id), distance_km: null };
}

/** Of equal names as long as the cut, none counts as seen: better one twice than one never. */
function findLastNotAfter(snapshot: Snapshot, name: string, id: string): number {
  let low = 0;
  let high = snapshot.index.size;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const byName = compareCodePoints(cutNameOf(snapshot, middle), name);
    const isCut = name.length >= MAX_NAME_LENGTH;
    const order = byName || (isCut ? 1 : compareCodePoints(snapshot.index.idOf(middle), id));
    if (order <= 0) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

function cutNameOf(snapshot: Snapshot, number: number): string {
  return foldText(snapshot.centerAt(number).name).slice(0, MAX_NAME_LENGTH);
}

function parse(cursor: string): unknown {
  try {
    return JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
  } catch {
    return undefined;
  }
}

/** The contract's parser puts the parameters into one order, whatever the address has. */
function tagOfQuery(query: object): string {
  return hash('md5', JSON.stringify(query), 'base64url');
}

function invalid(): AppError {
  return new AppError('cursor_invalid', 'This cursor does not belong to this list');
}
