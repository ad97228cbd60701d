import { nextState } from '@sendlap/domain/activity-states.ts';
import { type ComponentProps, useState } from 'react';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { PATHS } from '#web/shared/paths.ts';
import { Button } from '#web/shared/ui/controls/Button.tsx';
import { LoadFailed } from '#web/shared/ui/feedback/LoadFailed.tsx';
import { lazyPart } from '#web/shared/ui/feedback/lazy-part.tsx';
import type { ActivityView } from './data/activity-view.ts';
import { useDelete } from './ops/use-delete.ts';

type Editing = typeof import('./EditSheet.tsx').EditSheet;

// Lazy-loaded. Its loading and failure states are shown inline, not in a sheet: the sheet's code may not have loaded
// either.
const EditSheet = lazyPart<ComponentProps<Editing>>(() => import('./EditSheet.tsx').then((m) => m.EditSheet), [], {
  Failed: LoadFailed,
});

/** Correct and delete, where the rules allow them. */
export function ActivityActions({ activity }: { activity: ActivityView }) {
  const { t } = useTranslation('history');
  const [editing, setEditing] = useState(false);
  const remove = useDelete(activity, PATHS.history);
  const kinds = activity.refusal?.kinds ?? [];
  // An activity that the server refused is corrected or discarded on its `RefusedOpCard` instead.
  const is_refused = kinds.includes('start') || kinds.includes('finish');
  const editable = 'state' in nextState(activity.status, 'edit') && !is_refused;
  return (
    <div className="flex flex-wrap gap-2 *:grow *:basis-[8rem]">
      {editable && (
        <Button kind="secondary" size="sm" icon="edit" wide onClick={() => setEditing(true)}>
          {t('edit.action')}
        </Button>
      )}
      {!kinds.includes('start') && (
        <Button kind="danger" size="sm" icon="trash" wide onClick={() => void remove()}>
          {t('delete.action')}
        </Button>
      )}
      {editing && <EditSheet activity={activity} onClose={() => setEditing(false)} />}
    </div>
  );
}
