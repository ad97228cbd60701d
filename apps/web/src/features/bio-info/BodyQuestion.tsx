import { shouldAskForBioInfo } from '@sendlap/domain/bio-info/bio-info-machine.ts';
import { useState } from 'react';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { CornerCard } from '#web/shared/ui/CornerCard.tsx';
import { Button } from '#web/shared/ui/controls/Button.tsx';
import { Sheet } from '#web/shared/ui/sheet/Sheet.tsx';
import { BodyEditor } from './BodyEditor.tsx';
import { bioInfoFlow, useBioInfo } from './bio-info-client.ts';

/**
 * Asks a user without body data for it, in a card that says why and takes no for an answer, until the next sign-in.
 * `is_due`: the age matters now, and the card interrupts nothing.
 */
export function BodyQuestion({ is_due }: { is_due: boolean }) {
  const { t } = useTranslation('users');
  const bio = useBioInfo();
  const [editing, setEditing] = useState(false);
  // Left by Back: it must not open again by itself.
  if (editing && !is_due) setEditing(false);
  const close = () => {
    bioInfoFlow.acknowledgeWrite();
    setEditing(false);
  };
  return (
    <>
      {is_due && !editing && shouldAskForBioInfo(bio) && (
        <CornerCard title={t('body.ask.title')}>
          <p className="mt-1 text-label text-ink-soft">{t('body.ask.text')}</p>
          <div className="mt-4 flex flex-wrap gap-2">
            <Button size="sm" kind="secondary" className="flex-1" onClick={() => setEditing(true)}>
              {t('body.add')}
            </Button>
            <Button size="sm" kind="quiet" onClick={() => bioInfoFlow.postpone()}>
              {t('body.ask.no')}
            </Button>
          </div>
        </CornerCard>
      )}
      <Sheet open={editing} onOpenChange={close} title={t('body.editTitle')} description={t('body.why')}>
        <BodyEditor onDone={close} />
      </Sheet>
    </>
  );
}
