import { createHmac } from 'node:crypto';

/** Grace period after a rotation: copies of the same request (other tabs, lost replies) get the same answer. */
const GRACE_MS = 60_000;
/** How many rotations a browser's tabs may lag behind each other within the grace period. */
const MAX_GENERATIONS_BEHIND = 4;
/** How often the parents of a family may request a child that never arrived again, per UTC day. */
const MAX_REISSUES_A_DAY = 3;

interface PresentedToken {
  /** The presented token. */
  token: { generation: number; rotated_at: Date | null };
  /** The newest token of its family, possibly the presented one. */
  newest: { generation: number; confirmed_at: Date | null };
  family: ReissueCount;
}

export interface ReissueCount {
  /** Re-issues on the day of the last one. */
  reissues: number;
  /** UTC date of the last re-issue. */
  reissued_on: string | null;
}

export type RefreshDecision = 'rotate' | 'keep' | 'repeat' | 'reissue' | 'too_many' | 'reused';

/**
 * Judges a refresh token of a live session that is bound to no key. `rotate`: it is the newest, derive its child.
 * `repeat`: it was rotated a moment ago, answer with the newest. `reissue`: neither its child nor an access token of
 * the child was ever used, so the child never arrived: send it again. `reused`: a thief holds a copy, end the family.
 */
export function decideRefresh({ token, newest, family }: PresentedToken, now_ms: number): RefreshDecision {
  if (!token.rotated_at) return 'rotate';
  const behind = newest.generation - token.generation;
  if (now_ms - token.rotated_at.getTime() <= GRACE_MS) return behind <= MAX_GENERATIONS_BEHIND ? 'repeat' : 'reused';
  if (behind !== 1 || newest.confirmed_at) return 'reused';
  return countReissue(family, now_ms).reissues <= MAX_REISSUES_A_DAY ? 'reissue' : 'too_many';
}

/** Returns the family's count after one more re-issue. */
export function countReissue({ reissues, reissued_on }: ReissueCount, now_ms: number): ReissueCount {
  const today = new Date(now_ms).toISOString().slice(0, 10);
  return { reissues: reissued_on === today ? reissues + 1 : 1, reissued_on: today };
}

/**
 * Derives a token's child, 256 bits: HMAC-SHA-256 of a server secret over the parent's hash and the child's generation.
 * So a child can be sent again without being stored.
 */
export function deriveChild(key: Buffer, parent_hash: Buffer, generation: number): string {
  return createHmac('sha256', key).update(parent_hash).update(String(generation)).digest('base64url');
}
