import type { CorrectedTimes } from '#web/shared/outbox/settle.ts';
import { useFailureToast } from './use-failure-toast.ts';
import { useSteps } from './use-steps.ts';

/** What can be done about the refused steps of an activity. Each says itself when this device could not save it. */
export function useRefused(client_id: string) {
  const { retryRefused, discardRefused } = useSteps();
  const fail = useFailureToast();
  return {
    /** Sends them again, with other times where some are given. */
    retry: (times?: CorrectedTimes) => retryRefused(client_id, times).catch(fail),
    discard: () => discardRefused(client_id).catch(fail),
  };
}
