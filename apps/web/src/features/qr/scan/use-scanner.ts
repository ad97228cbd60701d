import { useCallback, useEffect, useState } from 'react';
import { serverClock } from '#web/shared/api/client.ts';
import { vibrate } from '#web/shared/device/haptics.ts';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { outbox } from '#web/shared/outbox/client.ts';
import { toast } from '#web/shared/ui/feedback/toast.ts';
import { readCodesFromPicture } from '../camera/qr-detector.ts';
import { createIgnoredCodes } from './ignored-codes.ts';
import type { ScanOp } from './scan-op.ts';
import { identityOf, parseScan, type ScanContent, type ScanMoment, type ScannedCode } from './scanned-code.ts';

const HINT_MS = 2_500;

type HintName = 'notOurs' | 'already';

/** The content of the sheet over the camera; kept while the sheet slides away. */
export type Panel =
  | { kind: 'digits' | 'cameras' | 'unreadable' }
  | { kind: 'card' | 'adjust' | 'reject' | 'result'; scan: ScannedCode }
  | Exclude<ScanContent, { kind: 'activity' | 'unknown' }>;

export type Scanner = ReturnType<typeof useScanner>;

export function useScanner() {
  const { t } = useTranslation('qr');
  const [open, setOpen] = useState(false);
  const [panel, setPanel] = useState<Panel>({ kind: 'digits' });
  const [hint, showHint] = useHint();
  const [ignored] = useState(() => createIgnoredCodes({ now: () => performance.now(), isRefused }));

  const show = (next: Panel) => {
    setPanel(next);
    setOpen(true);
  };
  const handleFound = (content: Exclude<ScanContent, { kind: 'unknown' }>) => {
    showHint(null);
    vibrate('found');
    show(content.kind === 'activity' ? { kind: 'card', scan: content.scan } : content);
  };
  /** Handles a text from the camera, which sees the same code many times. */
  const handleCameraText = (text: string) => {
    const content = parseScan(text, currentMoment());
    if (content.kind === 'unknown') return showHint('notOurs');
    const state = ignored.state(identityOf(content));
    if (state === 'settled') showHint('already');
    if (!state) handleFound(content);
  };
  /** Handles a link that opened this page: a toast over the camera would not say why there is no code. */
  const handleLink = (text: string) => {
    const content = parseScan(text, currentMoment());
    if (content.kind === 'unknown') show({ kind: 'unreadable' });
    else handleFound(content);
  };
  /** Handles a text that the user chose: typed, or from a picture. */
  const handleChosenText = (text: string) => {
    const content = parseScan(text, currentMoment());
    if (content.kind === 'unknown') toast({ title: t('scan.notOurs'), tone: 'error' });
    else handleFound(content);
  };
  const handlePicture = async (file: Blob) => {
    const texts = await readCodesFromPicture(file).catch(() => null);
    const own_code = texts?.find((text) => parseScan(text, currentMoment()).kind !== 'unknown');
    if (own_code !== undefined) return handleChosenText(own_code);
    const why = texts === null ? 'unreadable' : texts.length === 0 ? 'empty' : 'foreign';
    toast({ title: t(`scan.picture.${why}`), tone: 'error' });
  };
  const close = () => {
    const identity = identityOfPanel(panel);
    if (identity !== null) ignored.pause(identity);
    setOpen(false);
  };
  /** The decision is on the disk: the camera may ignore this code. */
  const markDecided = (op: ScanOp) => ignored.markDecided(op.client_id, op.op_id);
  return { open, panel, hint, show, close, handleCameraText, handleLink, handleChosenText, handlePicture, markDecided };
}

/** A short hint about the code just seen; it disappears by itself, and its time restarts when it is shown again. */
function useHint(): [HintName | null, (name: HintName | null) => void] {
  const [shown, setShown] = useState<{ name: HintName } | null>(null);
  useEffect(() => {
    if (!shown) return;
    const timer = setTimeout(() => setShown(null), HINT_MS);
    return () => clearTimeout(timer);
  }, [shown]);
  const showHint = useCallback((name: HintName | null) => setShown(name && { name }), []);
  return [shown?.name ?? null, showHint];
}

function currentMoment(): ScanMoment {
  return { now_ms: Date.now(), clock: serverClock.clockReading(), online: navigator.onLine };
}

function isRefused(op_id: string): boolean {
  return outbox.getSnapshot().dead.some((op) => op.op_id === op_id);
}

function identityOfPanel(panel: Panel): string | null {
  if ('scan' in panel) return panel.scan.code.activity_id;
  return 'venue' in panel || 'public_id' in panel || 'secret' in panel ? identityOf(panel) : null;
}
