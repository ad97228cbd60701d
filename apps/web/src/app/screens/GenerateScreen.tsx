import { useEffect } from 'react';
import { useSearchParams } from 'wouter';
import { useShownActivity } from '#web/features/activities/use-activities.ts';
import { type CodeTab, GeneratePage } from '#web/features/qr/GeneratePage.tsx';
import { outbox } from '#web/shared/outbox/client.ts';

/** The code of the activity in the address, or of the last one that nobody has confirmed; or my own, for friends. */
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
  const { activity, loading } = useShownActivity(query.get('activity'));
  const held_op = activity?.undo?.op_id;
  // Who shows the code has finished for good; the scan should not find the server without the finish.
  useEffect(() => {
    if (held_op) void outbox.releaseOp(held_op);
  }, [held_op]);
  return <GeneratePage activity={activity} loading={loading} tab={tab} onTab={showTab} />;
}
