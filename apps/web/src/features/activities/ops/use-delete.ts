import { useRef } from 'react';
import { useLocation } from 'wouter';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { backToList } from '#web/shared/navigation/history-entry.ts';
import { outbox } from '#web/shared/outbox/client.ts';
import { UNDO_MS } from '#web/shared/outbox/undo-time.ts';
import { toast } from '#web/shared/ui/feedback/toast.ts';
import type { ActivityView } from '../data/activity-view.ts';
import { useActivityOps } from './use-activity-ops.ts';
import { useFailureToast } from './use-failure-toast.ts';

/** Deletes the activity at once, opens `path`, and offers an undo while the op is held on this device. */
export function useDelete(activity: ActivityView, path: string): () => Promise<void> {
  const { t } = useTranslation(['history', 'shell']);
  const { deleteActivity } = useActivityOps();
  const showFailure = useFailureToast();
  const [, navigate] = useLocation();
  const is_deleting = useRef(false);
  return async () => {
    // Each op has an undo of its own, so that two taps must not save two.
    if (is_deleting.current) return;
    is_deleting.current = true;
    try {
      const op_id = await deleteActivity(activity);
      const { points: count } = activity;
      toast({
        title: count > 0 ? t('delete.doneWithPoints', { count }) : t('delete.done'),
        timeout_ms: UNDO_MS,
        action: { label: t('shell:undo'), onPress: () => void undoDelete(op_id) },
      });
      if (!backToList(path)) navigate(path, { replace: true });
    } catch (error) {
      is_deleting.current = false;
      showFailure(error, t('delete.notSaved'));
    }
  };

  async function undoDelete(op_id: string): Promise<void> {
    try {
      if (!(await outbox.store.undoOp(op_id))) toast({ title: t('delete.tooLate') });
    } catch (error) {
      showFailure(error);
    }
  }
}
