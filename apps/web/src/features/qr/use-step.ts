import { ACTIVITY_STEP_MS, stepAt } from '@sendlap/domain/qr-code.ts';
import { useEffect, useState } from 'react';
import { serverClock } from '#web/shared/api/client.ts';

const LOOK_EVERY_MS = 200;

export interface StepNow {
  step: number;
  /** Whole seconds until the next step, 30 to 1. */
  seconds_left: number;
  /** Server time as well as this device knows it, ms epoch. */
  now_ms: number;
}

/** The running step by the corrected clock; changes once a second. */
export function useStep(): StepNow {
  const [now, setNow] = useState(readStep);
  useEffect(() => {
    // Often, and changed only when a new second is shown: the clock may be corrected at any time.
    const timer = setInterval(() => {
      const next = readStep();
      setNow((shown) => (shown.step === next.step && shown.seconds_left === next.seconds_left ? shown : next));
    }, LOOK_EVERY_MS);
    return () => clearInterval(timer);
  }, []);
  return now;
}

function readStep(): StepNow {
  const now_ms = serverClock.correctedNow();
  const step = stepAt(now_ms, ACTIVITY_STEP_MS);
  return { step, seconds_left: Math.ceil(((step + 1) * ACTIVITY_STEP_MS - now_ms) / 1000), now_ms };
}
