import type { OpResult } from '@sendlap/contract/activities.ts';
import { useEffect, useState } from 'react';
import { useOnline } from '#web/shared/device/online.ts';
import { useLiveEvents } from '#web/shared/live/use-live-events.ts';
import { outbox } from '#web/shared/outbox/client.ts';
import { useOutbox } from '#web/shared/outbox/use-outbox.ts';
import { type LateWord, outcomeOf, type ScanOutcome } from './scan-outcome.ts';

const OVERDUE_AFTER_MS = 5_000;

/** Follows one recorded decision. Mounted before the step is saved, so that no answer is missed. */
export function useScanOutcome(op_id: string, saved: boolean): ScanOutcome {
  const rows = useOutbox();
  const online = useOnline();
  const [result, setResult] = useState<OpResult | null>(null);
  const [late_word, setLateWord] = useState<LateWord | null>(null);
  const [overdue, setOverdue] = useState(false);

  useEffect(
    () =>
      outbox.onResults((results) => {
        const answer = results.find((each) => each.op_id === op_id);
        if (answer) setResult(answer);
      }),
    [op_id],
  );
  useLiveEvents((news) => {
    if (news.type === 'scan_decided' && news.op_id === op_id) setLateWord(news);
  });
  useEffect(() => {
    if (!saved) return;
    const timer = setTimeout(() => setOverdue(true), OVERDUE_AFTER_MS);
    return () => clearTimeout(timer);
  }, [saved]);

  return outcomeOf({ op_id, result, late_word, rows, online, overdue });
}
