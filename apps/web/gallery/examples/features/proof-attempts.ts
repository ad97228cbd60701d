import type { ProofAttempt } from '@sendlap/contract/activities.ts';
import { before, HOUR_MS } from './data.ts';

/** An attempt to prove an activity, an hour ago. */
export const attempt = (outcome: ProofAttempt['outcome'], facts: Partial<ProofAttempt> = {}): ProofAttempt => ({
  method: 'referee',
  decision: 'confirm',
  outcome,
  code: null,
  reason: null,
  at: before(HOUR_MS),
  by: 'Max',
  distance_class: 'at',
  count: 1,
  ...facts,
});

/** Codes that the app words for the scanner elsewhere. */
export const REFUSED_CODES = [
  'code_expired',
  'code_replayed',
  'device_revoked',
  'device_unknown',
  'scan_in_future',
  'clock_jumped',
  'referee_own_installation',
  'peer_too_soon',
  'pair_limit_reached',
  'referee_limit_reached',
  'activity_edited',
];
