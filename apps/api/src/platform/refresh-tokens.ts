import { createHash, createHmac } from 'node:crypto';

/** Within this time after a rotation, copies of the same request (other tabs, lost replies) get the same answer. */
const GRACE_MS = 60_000;
/** How often a parent may ask again for a child that never arrived, per UTC day. */
const MAX_REISSUES_A_DAY = 3;

export interface PresentedToken {
  generation: number;
  rotated_at: Date | null;
  reissues: number;
  /** UTC date of the last re-issue. */
  reissued_on: string | null;
}

export interface NewestToken {
  generation: number;
  confirmed_at: Date | null;
}

export type RefreshDecision = 'rotate' | 'repeat' | 'reissue' | 'too_many' | 'reused';

/**
 * What a refresh token of a live session is worth. `rotate`: it is the newest, make its child. `repeat`: it was
 * rotated a moment ago, answer with the newest. `reissue`: its child was never used, so it never arrived: the same
 * child again. `reused`: somebody else holds a copy, end the family.
 */
export function decideRefresh(token: PresentedToken, newest: NewestToken, now_ms: number): RefreshDecision {
  if (!token.rotated_at) return 'rotate';
  if (now_ms - token.rotated_at.getTime() <= GRACE_MS) return 'repeat';
  if (newest.generation !== token.generation + 1 || newest.confirmed_at) return 'reused';
  const used_today = token.reissued_on === utcDate(now_ms) ? token.reissues : 0;
  return used_today < MAX_REISSUES_A_DAY ? 'reissue' : 'too_many';
}

export function utcDate(now_ms: number): string {
  return new Date(now_ms).toISOString().slice(0, 10);
}

/**
 * The child of a token, 256 bits: HMAC-SHA-256 of a server secret over the parent's hash and the child's
 * generation. So it can be given again without being stored.
 */
export function deriveChild(key: Buffer, parent_hash: Buffer, generation: number): string {
  return createHmac('sha256', key).update(parent_hash).update(String(generation)).digest('base64url');
}

/** What the database knows of a token. */
export function hashToken(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
