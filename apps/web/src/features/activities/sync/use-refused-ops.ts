import { useUser } from '#web/shared/api/use-session.ts';
import { outbox } from '#web/shared/outbox/client.ts';
import type { CorrectedTimes } from '#web/shared/outbox/store/apply-results.ts';
import type { OverlapResolution } from '#web/shared/outbox/store/resolve-overlap.ts';
import { useFailureToast } from '../ops/use-failure-toast.ts';

/**
 * Actions on an activity's refused ops (the outbox's dead ops). Each returns whether it was saved on this device, and
 * shows a toast if not.
 */
export function useRefusedOps(client_id: string) {
  const { id } = useUser();
  const showFailure = useFailureToast();
  const isSaved = (work: Promise<unknown>) =>
    work.then(
      () => true,
      (error: unknown) => {
        showFailure(error);
        return false;
      },
    );
  return {
    /** Resends the ops, with corrected times if given. */
    retry: (times?: CorrectedTimes) => isSaved(outbox.retryDead(id, client_id, times)),
    discard: () => isSaved(outbox.store.discardDead(id, client_id)),
    /** Saves the choice for an activity that overlaps others. */
    resolve: (resolution: OverlapResolution) => isSaved(outbox.resolveOverlap(id, client_id, resolution)),
  };
}
