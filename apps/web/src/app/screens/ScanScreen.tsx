import { useActivities } from '#web/features/activities/use-activities.ts';
import { useSteps } from '#web/features/activities/use-steps.ts';
import { ScanPage } from '#web/features/qr/ScanPage.tsx';
import type { ScannedVenue } from '#web/features/qr/scanned-code.ts';
import { VenuePanel } from '#web/features/qr/VenuePanel.tsx';

/** What begins at a center's code unless the athlete says otherwise while it runs. */
const INTENSITY = 'moderate';

/** The scanner; what it finds at a center begins or finishes an activity. */
export function ScanScreen() {
  return <ScanPage renderVenue={(venue, onAgain) => <ProvenByVenue venue={venue} onAgain={onAgain} />} />;
}

function ProvenByVenue({ venue, onAgain }: { venue: ScannedVenue; onAgain: () => void }) {
  const { activities } = useActivities();
  const { startActivity, finishActivity } = useSteps();
  const running = activities.find((activity) => activity.status === 'active') ?? null;
  return (
    <VenuePanel
      venue={venue}
      running={running}
      onStart={(center, sport, proof) => startActivity(center, sport, INTENSITY, proof)}
      onFinish={async (proof) => {
        if (running) await finishActivity(running, undefined, proof);
      }}
      onAgain={onAgain}
    />
  );
}
