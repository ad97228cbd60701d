import type { SourceTile } from './plan-cut.ts';

/** Bytes of the archive that one request fetches. */
export interface SourceRange {
  offset: number;
  length: number;
}

/** Fetching so many bytes for nothing is faster than another request. */
const MAX_GAP_BYTES = 32 * 1024;
/** So that a slow connection gets each range in time, and an interrupted cut loses little. */
const MAX_RANGE_BYTES = 1024 * 1024;

/** Returns few ranges that contain all tiles, in the order of the archive. */
export function mergeRanges(tiles: readonly SourceTile[]): SourceRange[] {
  const ranges: SourceRange[] = [];
  for (const { offset, length } of [...tiles].sort((a, b) => a.offset - b.offset)) {
    const last = ranges.at(-1);
    const end = Math.max(offset + length, last ? last.offset + last.length : 0);
    const is_near = last && offset <= last.offset + last.length + MAX_GAP_BYTES;
    // A tile inside the last range, such as one with the same bytes, needs no other.
    if (is_near && (end - last.offset <= MAX_RANGE_BYTES || end === last.offset + last.length))
      last.length = end - last.offset;
    else ranges.push({ offset, length });
  }
  return ranges;
}

/** Returns the range that contains the tile. Throws if none does. */
export function findRange(ranges: readonly SourceRange[], { offset, length }: SourceTile): SourceRange {
  const range = ranges.findLast((each) => each.offset <= offset);
  if (!range || offset + length > range.offset + range.length) throw new Error('a tile lies in no range');
  return range;
}
