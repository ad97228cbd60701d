import type { Hit } from '@sendlap/center-index/center-index.ts';
import type { FoundSportCenter } from '@sendlap/contract/sport-centers.ts';
import type { CenterQuery } from '@sendlap/domain/sport-centers.ts';

export interface CopyRequest {
  query: CenterQuery;
  limit: number;
  /** The `next` of the previous page. */
  after: Hit | null;
}

/** A page of centers from the copies on this device. */
export interface CopyPage {
  items: FoundSportCenter[];
  next: Hit | null;
  total: number;
  total_is_lower_bound: boolean;
  /** ms epoch of the oldest copy on the page; null for an empty page. */
  cached_at: number | null;
  /** The same of the copies that no saved city needs: they have a lifetime. */
  loose_at: number | null;
  /** Number of copies on this device. */
  saved: number;
}

/** Messages to the worker, and its answers. */
export interface CenterWorkerRequest extends CopyRequest {
  number: number;
}

export type CenterWorkerReply = { number: number; page: CopyPage } | { number: number; error: string };
