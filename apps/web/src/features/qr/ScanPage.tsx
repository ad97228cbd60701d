import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { serverClock } from '#web/shared/api/client.ts';
import { useUser } from '#web/shared/api/use-session.ts';
import { vibrate } from '#web/shared/device/haptics.ts';
import { outbox } from '#web/shared/outbox/client.ts';
import { Sheet } from '#web/shared/ui/Sheet.tsx';
import { CameraView } from './CameraView.tsx';
import { createIgnoredCodes } from './ignored-codes.ts';
import { RecordedScan } from './RecordedScan.tsx';
import { ScanBars } from './ScanBars.tsx';
import { type DecisionStep, ScanDecision } from './ScanDecision.tsx';
import { readScan, type ScanMoment, type ScannedCode } from './scanned-code.ts';
import { TypedDigits } from './TypedDigits.tsx';
import { useCamera } from './use-camera.ts';
import { useGoBack } from './use-go-back.ts';
import { useHint } from './use-hint.ts';
import { useQrReader } from './use-qr-reader.ts';
import { useRecording } from './use-recording.ts';
import { useScannedFragment } from './use-scanned-fragment.ts';

/** What the sheet over the camera shows; it keeps its content while it slides away. */
type Panel = { kind: 'digits' } | { kind: DecisionStep; scan: ScannedCode } | { kind: 'result'; scan: ScannedCode };

const TITLES = {
  digits: 'scan.digits.title',
  card: 'card.title',
  adjust: 'adjust.title',
  reject: 'reject.title',
  result: 'result.title',
} as const;

/** The referee's screen: finds a code, says what it holds, and records what the referee decides. Works offline. */
export function ScanPage() {
  const { t } = useTranslation('qr');
  const goBack = useGoBack();
  const camera = useCamera();
  const [open, setOpen] = useState(false);
  const [panel, setPanel] = useState<Panel>({ kind: 'digits' });
  const [hint, say] = useHint();
  const [ignored] = useState(() => createIgnoredCodes({ now: () => performance.now(), isRefused }));
  const { recording, record, retry } = useRecording(useUser().id, (op) => ignored.settle(op.client_id, op.op_id));

  const show = (next: Panel) => {
    setPanel(next);
    setOpen(true);
  };
  const close = () => {
    if ('scan' in panel) ignored.pause(panel.scan.code.activity_id);
    setOpen(false);
  };
  const read = (text: string) => {
    const result = readScan(text, momentNow());
    if (!result.ok) return say(result.code === 'code_unreadable' ? 'notOurs' : 'otherKind');
    const { scanned_code: scan } = result;
    // Who types digits means it; only the camera sees things twice.
    const state = open ? null : ignored.state(scan.code.activity_id);
    if (state === 'settled') say('already');
    if (state) return;
    say(null);
    vibrate('found');
    show({ kind: 'card', scan });
  };

  const readable = useQrReader(camera.video, !open && camera.state === 'running', read);
  useScannedFragment(read);
  useFrozen(camera.video, open);

  return (
    <div className="vt-screen relative flex flex-1 flex-col bg-black text-white">
      <title>{`${t('scan.title')} · Sendlap`}</title>
      <CameraView
        camera={camera}
        hint={t(hint ? `scan.${hint}` : readable ? 'scan.hint' : 'scan.noReader')}
        alert={hint === 'notOurs' || hint === 'otherKind'}
      />
      <ScanBars torch={camera.torch} onBack={goBack} onType={() => show({ kind: 'digits' })} />
      <Sheet
        open={open}
        onOpenChange={(next) => !next && close()}
        title={t(TITLES[panel.kind])}
        description={panel.kind === 'digits' ? t('scan.digits.text') : undefined}
      >
        {panel.kind === 'digits' && <TypedDigits onPayload={read} />}
        {(panel.kind === 'card' || panel.kind === 'adjust' || panel.kind === 'reject') && (
          <ScanDecision
            scan={panel.scan}
            step={panel.kind}
            onStep={(kind) => setPanel({ kind, scan: panel.scan })}
            onDecide={(decision) => {
              record(panel.scan, decision);
              setPanel({ kind: 'result', scan: panel.scan });
            }}
            onAgain={close}
          />
        )}
        {panel.kind === 'result' && recording && (
          <RecordedScan recording={recording} onRetry={retry} onAgain={close} onDone={goBack} />
        )}
      </Sheet>
    </div>
  );
}

function momentNow(): ScanMoment {
  return { now_ms: Date.now(), clock: serverClock.clockReading(), online: navigator.onLine };
}

function isRefused(op_id: string): boolean {
  return outbox.getSnapshot().dead.some((op) => op.op_id === op_id);
}

/** Behind an open sheet the picture stands still: what was found is what is being decided. */
function useFrozen(video: ReturnType<typeof useCamera>['video'], frozen: boolean): void {
  useEffect(() => {
    if (frozen) video.current?.pause();
    else video.current?.play().catch(() => {});
  }, [video, frozen]);
}
