import { stepAt, VENUE_STEP_MS } from '@sendlap/domain/qr-code.ts';
import { useEffect, useState } from 'react';
import type { Pairing } from './kiosk-records.ts';
import { type DrawnVenueCode, drawVenueCode, keyAt } from './venue-code.ts';

export type VenueCodeState =
  | { kind: 'drawing' }
  | { kind: 'ready'; drawn: DrawnVenueCode; seconds_left: number }
  /** No key for this day: the kiosk had no network for too long. */
  | { kind: 'no_key' };

/** The venue's code of a moment (ms epoch, server time), drawn on this tablet once a step. */
export function useVenueCode({ center, keys }: Pairing, now_ms: number): VenueCodeState {
  const [drawn, setDrawn] = useState<DrawnVenueCode | null>(null);
  const step = stepAt(now_ms, VENUE_STEP_MS);
  const key = keyAt(keys, now_ms);

  useEffect(() => {
    if (!key) return;
    let current = true;
    drawVenueCode(center.id, key, step * VENUE_STEP_MS, location.origin).then(
      (next) => {
        if (current) setDrawn(next);
      },
      (error: unknown) => console.warn('venue code', error),
    );
    return () => {
      current = false;
    };
  }, [center.id, key, step]);

  if (!key) return { kind: 'no_key' };
  // The code of the step before still counts for the moment that the next one takes; an older one does not.
  if (!drawn || Math.abs(step - drawn.step) > 1) return { kind: 'drawing' };
  return { kind: 'ready', drawn, seconds_left: Math.ceil(((step + 1) * VENUE_STEP_MS - now_ms) / 1000) };
}
