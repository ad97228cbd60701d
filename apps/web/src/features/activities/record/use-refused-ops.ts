import { useUser } from '#web/shared/api/use-session.ts';
import { outbox } from '#web/shared/outbox/client.ts';
import type { CorrectedTimes } from '#web/shared/outbox/store/apply-results.ts';
import { useFailureToast } from './use-failure-toast.ts';

/** Actions on an activity's refused ops (the outbox's dead ops); each shows a toast if saving on this device fails. */
export function useRefusedOps(client_id: string) {
  const { id } = useUser();
  const showFailure = useFailureToast();
  return {
    /** Resends the ops, with corrected times if given. */
    retry: (times?: CorrectedTimes) => outbox.retryDead(id, client_id, times).catch(showFailure),
    discard: () => outbox.discardDead(id, client_id).catch(showFailure),
  };
}
