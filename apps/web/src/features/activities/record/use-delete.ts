import { useLocation } from 'wouter';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { outbox } from '#web/shared/outbox/client.ts';
import { toast } from '#web/shared/ui/feedback/toast.ts';
import type { ActivityView } from './activity-view.ts';
import { UNDO_MS, useActivityOps } from './use-activity-ops.ts';
import { useFailureToast } from './use-failure-toast.ts';

/** Deletes the activity at once, opens `path`, and offers an undo while the op is held on this device. */
export function useDelete(activity: ActivityView, path: string): () => Promise<void> {
  const { t } = useTranslation(['history', 'shell']);
  const { deleteActivity } = useActivityOps();
  const showFailure = useFailureToast();
  const [, navigate] = useLocation();
  return async () => {
    try {
      const op_id = await deleteActivity(activity);
      const { points: count } = activity;
      toast({
        title: count > 0 ? t('delete.doneWithPoints', { count }) : t('delete.done'),
        timeout_ms: UNDO_MS,
        action: { label: t('shell:undo'), onPress: () => void undoDelete(op_id) },
      });
      navigate(path, { replace: true });
    } catch (error) {
      showFailure(error, t('delete.notSaved'));
    }
  };

  async function undoDelete(op_id: string): Promise<void> {
    try {
      if (!(await outbox.undoOp(op_id))) toast({ title: t('delete.tooLate') });
    } catch (error) {
      showFailure(error);
    }
  }
}
