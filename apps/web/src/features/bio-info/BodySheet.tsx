import { useState } from 'react';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { Button } from '#web/shared/ui/Button.tsx';
import { NetworkButton } from '#web/shared/ui/NetworkButton.tsx';
import { Problem } from '#web/shared/ui/Problem.tsx';
import { Sheet } from '#web/shared/ui/Sheet.tsx';
import { toast } from '#web/shared/ui/toast.ts';
import { BodyEditor } from './BodyEditor.tsx';
import { bioInfoFlow, useBioInfo } from './bio-info-client.ts';
import { useBioInfoText } from './use-bio-info-text.ts';

interface BodySheetProps {
  open: boolean;
  onClose: () => void;
}

/** Edits body data, or deletes it after a second question. */
export function BodySheet({ open, onClose }: BodySheetProps) {
  const { t } = useTranslation('users');
  const bio = useBioInfo();
  const [deleting, setDeleting] = useState(false);
  const close = () => {
    bioInfoFlow.settle();
    setDeleting(false);
    onClose();
  };
  const ask = () => {
    bioInfoFlow.settle();
    setDeleting(true);
  };
  return (
    <Sheet
      open={open}
      onOpenChange={close}
      title={t(deleting ? 'body.deleteTitle' : 'body.editTitle')}
      {...(deleting ? { description: t('body.deleteText') } : {})}
    >
      {deleting ? (
        <DeleteQuestion onDone={close} onCancel={() => setDeleting(false)} />
      ) : (
        <BodyEditor onDone={close}>
          {bio.bio_info && (
            <Button wide kind="quiet" icon="trash" disabled={bio.write === 'saving'} onClick={ask}>
              {t('body.delete')}
            </Button>
          )}
        </BodyEditor>
      )}
    </Sheet>
  );
}

function DeleteQuestion({ onDone, onCancel }: { onDone: () => void; onCancel: () => void }) {
  const { t } = useTranslation(['users', 'shell']);
  const bioInfoText = useBioInfoText();
  const bio = useBioInfo();
  const busy = bio.write === 'saving';
  const remove = async () => {
    await bioInfoFlow.remove();
    if (bioInfoFlow.getState().write !== 'saved') return;
    toast({ title: t('users:body.deleted'), tone: 'success' });
    onDone();
  };
  return (
    <div className="flex flex-col gap-2 pt-1">
      {bio.write === 'failed' && <Problem>{bioInfoText(bio.write_error)}</Problem>}
      <NetworkButton wide kind="danger" icon="trash" busy={busy} onClick={() => void remove()}>
        {t('users:body.delete')}
      </NetworkButton>
      <Button wide kind="quiet" disabled={busy} onClick={onCancel}>
        {t('shell:cancel')}
      </Button>
    </div>
  );
}
