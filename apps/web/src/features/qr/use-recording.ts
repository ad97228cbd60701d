import { useState } from 'react';
import { outbox } from '#web/shared/outbox/client.ts';
import { buildScanOp, type Decision, type DistanceClass, type ScanOp } from './scan-op.ts';
import type { ScannedCode } from './scanned-code.ts';

/** What was decided, by whom and from where. */
export interface Decided {
  decision: Decision;
  distance_class: DistanceClass;
  /** As far as this device knows there is no right at the center: it is a friend's word. */
  as_peer: boolean;
}

export interface Recording extends Decided {
  scan: ScannedCode;
  op: ScanOp;
  /** `saved`: on the disk of this phone. Nothing may be called recorded before. */
  state: 'saving' | 'saved' | 'failed';
}

/** Puts a decision into the outbox, which sends it as soon as it can. `onSaved`: it is on the disk. */
export function useRecording(user_id: string, onSaved: (op: ScanOp) => void) {
  const [recording, setRecording] = useState<Recording | null>(null);

  function save(next: Recording): void {
    const settle = (state: Recording['state']) => () =>
      setRecording((shown) => (shown?.op.op_id === next.op.op_id ? { ...shown, state } : shown));
    setRecording(next);
    outbox
      .saveOp(user_id, next.op)
      .then(() => onSaved(next.op))
      .then(settle('saved'), settle('failed'));
  }
  return {
    recording,
    record(scan: ScannedCode, decided: Decided) {
      const about = { op_id: crypto.randomUUID(), distance_class: decided.distance_class };
      save({ scan, ...decided, op: buildScanOp(scan, decided.decision, about), state: 'saving' });
    },
    /** The same op again: had the first try reached the disk after all, it is still saved once. */
    retry: () => recording && save({ ...recording, state: 'saving' }),
  };
}
