import type { Score } from './boards.ts';

/** Id, points, version and PostgreSQL's timestamp. */
export const ROW_BYTES = 32;
const POINTS_AT = 16;
const VERSION_AT = 20;
const TIME_AT = 24;
/** PostgreSQL counts microseconds since 2000-01-01 UTC. */
const EPOCH_MS = Date.UTC(2000, 0, 1);
const HIGH_WORD = 2 ** 32;

const TEXT_BYTES = 36;
const DASH = 45;
const DASHES_AFTER = new Set([3, 5, 7, 9]);
const DIGITS = Buffer.from('0123456789abcdef', 'latin1');

/** Parses rows of `uuid_send || int4send || int4send || timestamptz_send`, one after the other. */
export function unpackScores(packed: Buffer): Score[] {
  const view = new DataView(packed.buffer, packed.byteOffset, packed.byteLength);
  const ids = formatIds(packed);
  const scores: Score[] = [];
  for (let at = 0, text = 0; at < packed.length; at += ROW_BYTES, text += TEXT_BYTES) {
    const micros = view.getInt32(at + TIME_AT) * HIGH_WORD + view.getUint32(at + TIME_AT + 4);
    scores.push({
      user_id: ids.slice(text, text + TEXT_BYTES),
      version: view.getInt32(at + VERSION_AT),
      points: view.getInt32(at + POINTS_AT),
      reached_at_ms: EPOCH_MS + Math.floor(micros / 1000),
    });
  }
  return scores;
}

/** Formats all ids as one text: one call for all is many times faster than one per id. */
function formatIds(packed: Buffer): string {
  const text = Buffer.allocUnsafe((packed.length / ROW_BYTES) * TEXT_BYTES);
  let to = 0;
  for (let at = 0; at < packed.length; at += ROW_BYTES) {
    for (let byte = 0; byte < POINTS_AT; byte++) {
      const value = packed[at + byte] ?? 0;
      text[to++] = DIGITS[value >> 4] ?? 0;
      text[to++] = DIGITS[value & 15] ?? 0;
      if (DASHES_AFTER.has(byte)) text[to++] = DASH;
    }
  }
  return text.toString('latin1');
}
