import { useUser } from '#web/shared/api/use-session.ts';
import { outbox } from '#web/shared/outbox/client.ts';
import type { CorrectedTimes } from '#web/shared/outbox/store/settle.ts';
import { useFailureToast } from './use-failure-toast.ts';

/** What can be done about the refused steps of an activity. Each says itself when this device could not save it. */
export function useRefused(client_id: string) {
  const { id } = useUser();
  const fail = useFailureToast();
  return {
    /** Sends them again, with other times where some are given. */
    retry: (times?: CorrectedTimes) => outbox.retryDead(id, client_id, times).catch(fail),
    discard: () => outbox.discardDead(id, client_id).catch(fail),
  };
}
