import { useCallback, useEffect, useState } from 'react';
import { serverClock } from '#web/shared/api/client.ts';
import { vibrate } from '#web/shared/device/haptics.ts';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { outbox } from '#web/shared/outbox/client.ts';
import { toast } from '#web/shared/ui/feedback/toast.ts';
import { readPicture } from '../camera/qr-detector.ts';
import { createIgnoredCodes } from './ignored-codes.ts';
import type { ScanOp } from './scan-op.ts';
import { identityOf, type ReadScan, readScan, type ScanMoment, type ScannedCode } from './scanned-code.ts';

const HINT_MS = 2_500;

type HintName = 'notOurs' | 'already';

/** The content of the sheet over the camera; kept while the sheet slides away. */
export type Panel =
  | { kind: 'digits' | 'cameras' }
  | { kind: 'card' | 'adjust' | 'reject' | 'result'; scan: ScannedCode }
  | Exclude<ReadScan, { kind: 'activity' | 'unknown' }>;

export type Scanner = ReturnType<typeof useScanner>;

export function useScanner() {
  const { t } = useTranslation('qr');
  const [open, setOpen] = useState(false);
  const [panel, setPanel] = useState<Panel>({ kind: 'digits' });
  const [hint, say] = useHint();
  const [ignored] = useState(() => createIgnoredCodes({ now: () => performance.now(), isRefused }));

  const show = (next: Panel) => {
    setPanel(next);
    setOpen(true);
  };
  const found = (read: Exclude<ReadScan, { kind: 'unknown' }>) => {
    say(null);
    vibrate('found');
    show(read.kind === 'activity' ? { kind: 'card', scan: read.scan } : read);
  };
  /** Handles a text from the camera, which sees the same code many times. */
  const see = (text: string) => {
    const read = readScan(text, momentNow());
    if (read.kind === 'unknown') return say('notOurs');
    const state = ignored.state(identityOf(read));
    if (state === 'settled') say('already');
    if (!state) found(read);
  };
  /** Handles a text that the user chose: typed, opened by a link, or from a picture. */
  const take = (text: string) => {
    const read = readScan(text, momentNow());
    if (read.kind === 'unknown') toast({ title: t('scan.notOurs'), tone: 'error' });
    else found(read);
  };
  const takePicture = async (file: Blob) => {
    const texts = await readPicture(file).catch(() => null);
    const ours = texts?.find((text) => readScan(text, momentNow()).kind !== 'unknown');
    if (ours !== undefined) return take(ours);
    const why = texts === null ? 'unreadable' : texts.length === 0 ? 'empty' : 'foreign';
    toast({ title: t(`scan.picture.${why}`), tone: 'error' });
  };
  const close = () => {
    const identity = identityOfPanel(panel);
    if (identity !== null) ignored.pause(identity);
    setOpen(false);
  };
  /** The decision is on the disk: the camera may ignore this code. */
  const settle = (op: ScanOp) => ignored.settle(op.client_id, op.op_id);
  return { open, panel, hint, show, close, see, take, takePicture, settle };
}

/** A short hint about the code just seen; it disappears by itself, and its time restarts when it is shown again. */
function useHint(): [HintName | null, (name: HintName | null) => void] {
  const [shown, setShown] = useState<{ name: HintName } | null>(null);
  useEffect(() => {
    if (!shown) return;
    const timer = setTimeout(() => setShown(null), HINT_MS);
    return () => clearTimeout(timer);
  }, [shown]);
  const say = useCallback((name: HintName | null) => setShown(name && { name }), []);
  return [shown?.name ?? null, say];
}

function momentNow(): ScanMoment {
  return { now_ms: Date.now(), clock: serverClock.clockReading(), online: navigator.onLine };
}

function isRefused(op_id: string): boolean {
  return outbox.getSnapshot().dead.some((op) => op.op_id === op_id);
}

function identityOfPanel(panel: Panel): string | null {
  if ('scan' in panel) return panel.scan.code.activity_id;
  return 'venue' in panel || 'public_id' in panel || 'secret' in panel ? identityOf(panel) : null;
}
