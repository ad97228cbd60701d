import { type ComponentProps, useState } from 'react';
import { useLocation } from 'wouter';
import { type ActivityView, findRunning } from '#web/features/activities/data/activity-view.ts';
import { useActivities } from '#web/features/activities/data/use-activities.ts';
import { useActivityOps } from '#web/features/activities/ops/use-activity-ops.ts';
import { StopSheet } from '#web/features/activities/running/StopSheet.tsx';
import { isForgotten } from '#web/features/activities/running/stop.ts';
import { ScanPage } from '#web/features/qr/scan/ScanPage.tsx';
import type { ScannedVenueCode } from '#web/features/qr/scan/scanned-code.ts';
import { VenuePanel } from '#web/features/qr/scan/VenuePanel.tsx';
import { serverClock } from '#web/shared/api/client.ts';
import { startChatRequests } from '#web/shared/live/chat-requests.ts';
import { PATHS } from '#web/shared/paths.ts';
import { LoadFailed } from '#web/shared/ui/feedback/LoadFailed.tsx';
import { lazyPart } from '#web/shared/ui/feedback/lazy-part.tsx';
import { Skeleton } from '#web/shared/ui/feedback/Skeleton.tsx';

type AddByCodeComponent = typeof import('#web/features/friends/find/AddByCode.tsx').AddByCode;

const AddByCode = lazyPart<ComponentProps<AddByCodeComponent>>(
  () => import('#web/features/friends/find/AddByCode.tsx').then((m) => m.AddByCode),
  ['friends'],
  { loading: <Skeleton className="h-32 rounded-lg" />, Failed: LoadFailed },
);

/** The scanner: a center's code starts or finishes an activity, a friend code offers a friend request. */
export function ScanScreen() {
  return (
    <ScanPage
      renderVenue={(venue, onAgain) => <VenueProof venue={venue} onAgain={onAgain} />}
      renderFriend={(public_id) => <FriendByCode key={public_id} public_id={public_id} />}
    />
  );
}

/** The chat panel is only on screens with a navigation, so this navigates first. */
function FriendByCode({ public_id }: { public_id: string }) {
  const [, navigate] = useLocation();
  const openChat = (friend_id: string) => {
    navigate(PATHS.friends);
    startChatRequests.send(friend_id);
  };
  return <AddByCode public_id={public_id} onMessage={openChat} />;
}

/** A forgotten activity first asks when it ended: `finish` continues with the answer. */
interface PendingStop {
  running: ActivityView;
  /** ms epoch; undefined: now. */
  finish: (ended_at?: number) => void;
}

function VenueProof({ venue, onAgain: onScanAgain }: { venue: ScannedVenueCode; onAgain: () => void }) {
  const { activities } = useActivities();
  const { startActivity, finishActivity } = useActivityOps();
  const [pending_stop, setPendingStop] = useState<PendingStop | null>(null);
  const running = findRunning(activities);
  return (
    <>
      <VenuePanel
        venue={venue}
        running={running}
        onStart={(center, sport, proof) => startActivity(center, sport, { venue_scan: proof })}
        onFinish={async (proof) => {
          if (!running) return;
          if (!isForgotten(running, serverClock.correctedNow())) return finishActivity(running, undefined, proof);
          const ended_at = await new Promise<number | undefined>((finish) => setPendingStop({ running, finish }));
          setPendingStop(null);
          // The kiosk's code only proves that the athlete is there now.
          await finishActivity(running, ended_at, ended_at === undefined ? proof : undefined);
        }}
        onScanAgain={onScanAgain}
      />
      {pending_stop && (
        <StopSheet activity={pending_stop.running} onStopped={pending_stop.finish} onClose={onScanAgain} />
      )}
    </>
  );
}
