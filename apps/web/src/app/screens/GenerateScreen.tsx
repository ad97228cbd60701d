import { useEffect, useState } from 'react';
import { useSearchParams } from 'wouter';
import { useShownActivity } from '#web/features/activities/data/use-activities.ts';
import { AppealCard } from '#web/features/activities/proof/AppealCard.tsx';
import { RefusedOpCard } from '#web/features/activities/sync/RefusedOpCard.tsx';
import { type CodeTab, GeneratePage } from '#web/features/qr/code/GeneratePage.tsx';
import { useUser } from '#web/shared/api/use-session.ts';
import { outbox } from '#web/shared/outbox/client.ts';
import { useServerNow } from '#web/shared/time/use-now.ts';

/** The code of the activity in the address, or of the last unconfirmed one; or the user's friend code. */
export function GenerateScreen() {
  const [query, setQuery] = useSearchParams();
  const tab: CodeTab = query.get('show') === 'friend' ? 'friend' : 'activity';
  const showTab = (next: CodeTab) => {
    setQuery(
      (shown) => {
        shown.delete('show');
        if (next === 'friend') shown.set('show', next);
        return shown;
      },
      { replace: true },
    );
  };
  const requested_id = query.get('activity');
  // Kept while the screen is open: once it is confirmed, it is no longer the one to confirm, but the one to celebrate.
  const [chosen_id, setChosenId] = useState<string | null>(null);
  const { activity, loading } = useShownActivity(requested_id ?? chosen_id, useServerNow());
  if (!requested_id && !chosen_id && activity) setChosenId(activity.client_id);
  const { id: user_id } = useUser();
  const can_undo = Boolean(activity?.undo);
  // Showing the code makes the finish final: it can no longer be undone.
  useEffect(() => {
    if (can_undo) void outbox.store.finalizeFinishes(user_id);
  }, [can_undo, user_id]);
  const slots = {
    refused: activity?.proof === 'refused' ? <RefusedOpCard activity={activity} /> : null,
    appeal: activity?.status === 'rejected' ? <AppealCard activity={activity} /> : null,
  };
  return <GeneratePage activity={activity} loading={loading} tab={tab} onTab={showTab} slots={slots} />;
}
