import { type ReactNode, useEffect, useEffectEvent, useState } from 'react';
import { useUser } from '#web/shared/api/use-session.ts';
import { readDevicePosition, readPermission } from '#web/shared/data/device-position.ts';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { useGoBack } from '#web/shared/navigation/use-go-back.ts';
import { PATHS } from '#web/shared/paths.ts';
import { Button } from '#web/shared/ui/controls/Button.tsx';
import { Sheet } from '#web/shared/ui/sheet/Sheet.tsx';
import { CameraChoiceList, CameraView } from '../camera/CameraView.tsx';
import { type Camera, useCamera } from '../camera/use-camera.ts';
import { useQrReader } from '../camera/use-qr-reader.ts';
import { FriendPanel } from './FriendPanel.tsx';
import { InvitePanel } from './InvitePanel.tsx';
import { RecordedScan, useRecording } from './RecordedScan.tsx';
import { ScanBars } from './ScanBars.tsx';
import { ScanDecision } from './ScanDecision.tsx';
import type { ScannedVenueCode } from './scanned-code.ts';
import { TypedDigits } from './TypedDigits.tsx';
import { type Panel, type Scanner, useScanner } from './use-scanner.ts';

interface ScanPageProps {
  /** The panel for a center's code; provided by the activities feature. */
  renderVenue: (venue: ScannedVenueCode, onScanAgain: () => void) => ReactNode;
  /** Who has the public id in a code, and the friend request button. */
  renderFriend: (public_id: string) => ReactNode;
}

/** Reads a code, shows its content and records the decision. Works offline. */
export function ScanPage(slots: ScanPageProps) {
  const { t } = useTranslation('qr');
  const goBack = useGoBack(PATHS.dashboard);
  const scanner = useScanner();
  const { open, panel, hint, show, close } = scanner;
  const [is_reading_url, setReadingUrl] = useState(() => location.hash.length > 1);
  const camera = useCamera(is_reading_url || open);
  const recording = useRecording(useUser().id, scanner.markDecided);
  const can_read = useQrReader(camera.video, !open && camera.state === 'running', scanner.handleCameraText);
  useScannedFragment((text) => {
    scanner.handleLink(text);
    setReadingUrl(false);
  });
  usePausedVideo(camera.video, open);
  useEffect(refreshPosition, []);

  return (
    <div className="vt-screen relative flex flex-1 flex-col bg-black text-white">
      <title>{`${t('scan.title')} · Sendlap`}</title>
      <CameraView
        camera={camera}
        hint={t(hint ? `scan.${hint}` : can_read ? 'scan.hint' : 'scan.noReader')}
        is_error={hint === 'notOurs'}
      />
      <ScanBars
        torch={camera.torch}
        is_running={camera.state === 'running'}
        onBack={goBack}
        onCameras={camera.choice && (() => show({ kind: 'cameras' }))}
        onTypeDigits={() => show({ kind: 'digits' })}
        onPicture={(file) => void scanner.handlePicture(file)}
      />
      <Sheet
        open={open}
        onOpenChange={(next) => !next && close()}
        title={t(`scan.panel.${panel.kind}`)}
        description={describesItself(panel.kind) ? t(`scan.${panel.kind}.text`) : undefined}
      >
        <PanelContent {...slots} scanner={scanner} camera={camera} recording={recording} onDone={goBack} />
      </Sheet>
    </div>
  );
}

interface PanelContentProps extends ScanPageProps {
  scanner: Scanner;
  camera: Camera;
  recording: ReturnType<typeof useRecording>;
  onDone: () => void;
}

/** The content of the sheet, by the kind of code. */
function PanelContent({ scanner, camera, recording, onDone, ...slots }: PanelContentProps) {
  const { panel, show, close, handleChosenText } = scanner;
  switch (panel.kind) {
    case 'digits':
      return <TypedDigits onPayload={handleChosenText} />;
    case 'cameras':
      return camera.choice && <CameraChoiceList {...camera.choice} onDone={close} />;
    case 'unreadable':
      return <ScanAgainButton onPress={close} />;
    case 'card':
    case 'adjust':
    case 'reject':
      return (
        <ScanDecision
          scan={panel.scan}
          view={panel.kind}
          onViewChange={(kind) => show({ kind, scan: panel.scan })}
          onDecide={(decided) => {
            recording.record(panel.scan, decided);
            show({ kind: 'result', scan: panel.scan });
          }}
          onScanAgain={close}
        />
      );
    case 'result':
      if (!recording.recording) return null;
      return (
        <RecordedScan recording={recording.recording} onRetry={recording.retry} onScanAgain={close} onDone={onDone} />
      );
    case 'venue':
      return slots.renderVenue(panel.venue, close);
    case 'friend':
      return <FriendPanel public_id={panel.public_id} renderFriend={slots.renderFriend} onScanAgain={close} />;
    case 'invite':
      return <InvitePanel secret={panel.secret} onScanAgain={close} />;
  }
}

function describesItself(kind: Panel['kind']): kind is 'digits' | 'unreadable' {
  return kind === 'digits' || kind === 'unreadable';
}

function ScanAgainButton({ onPress }: { onPress: () => void }) {
  const { t } = useTranslation('qr');
  return (
    <Button icon="scan" wide onClick={onPress}>
      {t('card.again')}
    </Button>
  );
}

/**
 * Handles the code with which the phone's own camera app opened this page, and removes it from the address bar, so that
 * it is neither bookmarked nor read again. A second scan by the camera app may arrive in the open page.
 */
function useScannedFragment(onText: (text: string) => void): void {
  const handleText = useEffectEvent(onText);
  useEffect(() => {
    const readFragment = () => {
      const payload = location.hash.slice(1);
      if (payload === '') return;
      history.replaceState(history.state, '', location.pathname + location.search);
      handleText(payload);
    };
    readFragment();
    addEventListener('hashchange', readFragment);
    return () => removeEventListener('hashchange', readFragment);
  }, []);
}

/** Pauses the picture behind an open sheet: it shows the code that is being decided. */
function usePausedVideo(video: Camera['video'], is_paused: boolean): void {
  useEffect(() => {
    if (is_paused) video.current?.pause();
    else video.current?.play().catch(() => {});
  }, [video, is_paused]);
}

/**
 * Reads the position if the permission was granted before: a scan carries the distance to the center. Shows no prompt.
 */
function refreshPosition(): void {
  void readPermission().then((state) => {
    if (state === 'granted') readDevicePosition().catch(() => {});
  });
}
