import type { ReactNode } from 'react';
import { CameraChoiceList } from './CameraChoiceList.tsx';
import { FriendPanel } from './FriendPanel.tsx';
import { InvitePanel } from './InvitePanel.tsx';
import { RecordedScan } from './RecordedScan.tsx';
import { ScanDecision } from './ScanDecision.tsx';
import type { ScannedVenue } from './scanned-code.ts';
import { TypedDigits } from './TypedDigits.tsx';
import type { Camera } from './use-camera.ts';
import type { useRecording } from './use-recording.ts';
import type { Scanner } from './use-scanner.ts';

interface PanelContentProps {
  scanner: Scanner;
  recording: ReturnType<typeof useRecording>;
  choice: Camera['choice'];
  renderVenue: (venue: ScannedVenue, onAgain: () => void) => ReactNode;
  renderFriend: (public_id: string) => ReactNode;
  onDone: () => void;
}

/** What the sheet holds, by what was found. */
export function PanelContent({ scanner, recording, choice, renderVenue, renderFriend, onDone }: PanelContentProps) {
  const { panel, show, close, take } = scanner;
  switch (panel.kind) {
    case 'digits':
      return <TypedDigits onPayload={take} />;
    case 'cameras':
      return choice && <CameraChoiceList {...choice} onDone={close} />;
    case 'card':
    case 'adjust':
    case 'reject':
      return (
        <ScanDecision
          scan={panel.scan}
          step={panel.kind}
          onStep={(kind) => show({ kind, scan: panel.scan })}
          onDecide={(decided) => {
            recording.record(panel.scan, decided);
            show({ kind: 'result', scan: panel.scan });
          }}
          onAgain={close}
        />
      );
    case 'result':
      if (!recording.recording) return null;
      return <RecordedScan recording={recording.recording} onRetry={recording.retry} onAgain={close} onDone={onDone} />;
    case 'venue':
      return renderVenue(panel.venue, close);
    case 'friend':
      return <FriendPanel public_id={panel.public_id} renderFriend={renderFriend} onAgain={close} />;
    case 'invite':
      return <InvitePanel secret={panel.secret} onAgain={close} />;
  }
}
