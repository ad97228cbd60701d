import { type ComponentProps, useState } from 'react';
import { useLocation } from 'wouter';
import { type ActivityView, runningOf } from '#web/features/activities/record/activity-view.ts';
import { isForgotten } from '#web/features/activities/record/stop.ts';
import { useActivities } from '#web/features/activities/record/use-activities.ts';
import { useSteps } from '#web/features/activities/record/use-steps.ts';
import { StopSheet } from '#web/features/activities/running/StopSheet.tsx';
import { ScanPage } from '#web/features/qr/scan/ScanPage.tsx';
import type { ScannedVenue } from '#web/features/qr/scan/scanned-code.ts';
import { VenuePanel } from '#web/features/qr/scan/VenuePanel.tsx';
import { serverClock } from '#web/shared/api/client.ts';
import { askToStartChat } from '#web/shared/live/open-chat.ts';
import { PATHS } from '#web/shared/paths.ts';
import { LateFailed } from '#web/shared/ui/feedback/LateFailed.tsx';
import { late } from '#web/shared/ui/feedback/late.tsx';
import { Skeleton } from '#web/shared/ui/feedback/Skeleton.tsx';

type Adding = typeof import('#web/features/friends/find/AddByCode.tsx').AddByCode;

const AddByCode = late<ComponentProps<Adding>>(
  () => import('#web/features/friends/find/AddByCode.tsx').then((m) => m.AddByCode),
  ['friends'],
  { loading: <Skeleton className="h-32 rounded-lg" />, Failed: LateFailed },
);

/** The intensity of an activity started from a center's code; the athlete can change it while it runs. */
const INTENSITY = 'moderate';

/** The scanner: a center's code starts or finishes an activity, a friend code offers a friend request. */
export function ScanScreen() {
  return (
    <ScanPage
      renderVenue={(venue, onAgain) => <ProvenByVenue venue={venue} onAgain={onAgain} />}
      renderFriend={(public_id) => <FoundByCode key={public_id} public_id={public_id} />}
    />
  );
}

/** The chat panel is only on screens with a navigation, so this navigates first. */
function FoundByCode({ public_id }: { public_id: string }) {
  const [, navigate] = useLocation();
  const message = (friend_id: string) => {
    navigate(PATHS.friends);
    askToStartChat(friend_id);
  };
  return <AddByCode public_id={public_id} onMessage={message} />;
}

/** A forgotten activity first asks when it ended: `finish` continues with the answer. */
interface Asking {
  running: ActivityView;
  /** ms epoch; undefined: now. */
  finish: (ended_at?: number) => void;
}

function ProvenByVenue({ venue, onAgain }: { venue: ScannedVenue; onAgain: () => void }) {
  const { activities } = useActivities();
  const { startActivity, finishActivity } = useSteps();
  const [asking, setAsking] = useState<Asking | null>(null);
  const running = runningOf(activities);
  return (
    <>
      <VenuePanel
        venue={venue}
        running={running}
        onStart={(center, sport, proof) => startActivity(center, sport, INTENSITY, proof)}
        onFinish={async (proof) => {
          if (!running) return;
          if (!isForgotten(running, serverClock.correctedNow())) return finishActivity(running, undefined, proof);
          const ended_at = await new Promise<number | undefined>((finish) => setAsking({ running, finish }));
          setAsking(null);
          // The kiosk's code only proves that the athlete is there now.
          await finishActivity(running, ended_at, ended_at === undefined ? proof : undefined);
        }}
        onAgain={onAgain}
      />
      {asking && <StopSheet activity={asking.running} onStopped={asking.finish} onClose={onAgain} />}
    </>
  );
}
