import { createHash, createHmac } from 'node:crypto';

/** Within this time after a rotation, copies of the same request (other tabs, lost replies) get the same answer. */
const GRACE_MS = 60_000;
/** How many rotations the tabs of one browser may be behind each other in that time. */
const MAX_GENERATIONS_BEHIND = 4;
/** How often the parents of one family may ask again for a child that never arrived, per UTC day. */
const MAX_REISSUES_A_DAY = 3;

interface Presented {
  /** The token that was presented. */
  token: { generation: number; rotated_at: Date | null };
  /** The newest of its family, which may be itself. */
  newest: { generation: number; confirmed_at: Date | null };
  family: Reissues;
}

export interface Reissues {
  /** On the day of the last one. */
  reissues: number;
  /** UTC date of the last one. */
  reissued_on: string | null;
}

export type RefreshDecision = 'rotate' | 'keep' | 'repeat' | 'reissue' | 'too_many' | 'reused';

/**
 * What a refresh token of a live session that is bound to no key is worth. `rotate`: it is the newest, make its child. `repeat`: it was
 * rotated a moment ago, answer with the newest. `reissue`: neither its child nor an access token of it was ever used,
 * so the child never arrived: the same again. `reused`: somebody else holds a copy, end the family.
 */
export function decideRefresh({ token, newest, family }: Presented, now_ms: number): RefreshDecision {
  if (!token.rotated_at) return 'rotate';
  const behind = newest.generation - token.generation;
  if (now_ms - token.rotated_at.getTime() <= GRACE_MS) return behind <= MAX_GENERATIONS_BEHIND ? 'repeat' : 'reused';
  if (behind !== 1 || newest.confirmed_at) return 'reused';
  return countReissue(family, now_ms).reissues <= MAX_REISSUES_A_DAY ? 'reissue' : 'too_many';
}

/** The count of a family with one more re-issue now. */
export function countReissue({ reissues, reissued_on }: Reissues, now_ms: number): Reissues {
  const today = new Date(now_ms).toISOString().slice(0, 10);
  return { reissues: reissued_on === today ? reissues + 1 : 1, reissued_on: today };
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
