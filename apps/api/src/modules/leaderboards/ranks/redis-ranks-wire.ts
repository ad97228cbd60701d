import { uuidToBytes } from '@sendlap/domain/ids.ts';
import { ALL_CENTERS, type Board, type Place, type Score } from './rank-store.ts';

/** The bytes of one score in `packed`: user, version, points, time. */
const SCORE_BYTES = 30;
const VERSION_AT = 16;
const POINTS_AT = 20;
const TIME_AT = 24;
const TIME_BYTES = 6;

/** As its keys are named: "2026-W47/climbing/<id>". */
export function nameBoard({ period, sport, sport_center_id }: Board): string {
  return `${period}/${sport}/${sport_center_id === ALL_CENTERS ? 'all' : sport_center_id}`;
}

export function packUser(user_id: string): Buffer {
  return Buffer.from(uuidToBytes(user_id));
}

/** At most `limit` scores each; of several of one user only the newest. */
export function packScores(scores: Score[], limit: number): Buffer[] {
  const newest = new Map<string, Score>();
  for (const score of scores) {
    const known = newest.get(score.user_id);
    if (!known || known.version < score.version) newest.set(score.user_id, score);
  }
  const distinct = newest.size === scores.length ? scores : [...newest.values()];
  const parts: Buffer[] = [];
  for (let first = 0; first < distinct.length; first += limit) {
    const part = distinct.slice(first, first + limit);
    const packed = Buffer.alloc(part.length * SCORE_BYTES);
    part.forEach((score, index) => {
      packScore(packed, index * SCORE_BYTES, score);
    });
    parts.push(packed);
  }
  return parts;
}

function packScore(packed: Buffer, at: number, { user_id, version, points, reached_at_ms }: Score): void {
  packed.set(uuidToBytes(user_id), at);
  packed.writeUInt32BE(version, at + VERSION_AT);
  packed.writeUInt32BE(points, at + POINTS_AT);
  packed.writeUIntBE(reached_at_ms, at + TIME_AT, TIME_BYTES);
}

/** Members and scores in turns, the first of them at position `skip`; `above` have more points than it. */
export function readRows(reply: Buffer[], skip: number, above: number): Place[] {
  const rows: Place[] = [];
  let rank = above + 1;
  for (let at = 0; at < reply.length; at += 2) {
    const member = reply[at] ?? Buffer.alloc(0);
    const points = -Number(reply[at + 1]);
    const previous = rows.at(-1);
    if (previous && points < previous.points) rank = skip + rows.length + 1;
    rows.push({
      user_id: toUuid(member.toString('hex', TIME_BYTES)),
      rank,
      points,
      reached_at_ms: member.readUIntBE(0, TIME_BYTES),
    });
  }
  return rows;
}

function toUuid(hex: string): string {
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}
