import { shouldAskForBioInfo } from '@sendlap/domain/bio-info/bio-info-machine.ts';
import { type ReactNode, useState } from 'react';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { Card } from '#web/shared/ui/Card.tsx';
import { CornerCard } from '#web/shared/ui/CornerCard.tsx';
import { Button } from '#web/shared/ui/controls/Button.tsx';
import { Sheet } from '#web/shared/ui/sheet/Sheet.tsx';
import { BodyEditor } from './BodyEditor.tsx';
import { bioInfoFlow, useBioInfo } from './bio-info-client.ts';

interface BodyQuestionProps {
  /** The age matters now, and the card interrupts nothing. */
  is_due: boolean;
  /** In the screen, not in the corner above it. */
  is_inline?: boolean;
}

/** Asks a user without body data for it, in a card that says why and takes no for an answer, until the next sign-in. */
export function BodyQuestion({ is_due, is_inline = false }: BodyQuestionProps) {
  const { t } = useTranslation('users');
  const bio = useBioInfo();
  const [editing, setEditing] = useState(false);
  // Left by Back: it must not open again by itself.
  if (editing && !is_due) setEditing(false);
  const close = () => {
    bioInfoFlow.acknowledgeWrite();
    setEditing(false);
  };
  const Frame = is_inline ? InlineCard : CornerCard;
  return (
    <>
      {is_due && !editing && shouldAskForBioInfo(bio) && (
        <Frame title={t('body.ask.title')}>
          <p className="mt-1 text-label text-ink-soft">{t('body.ask.text')}</p>
          <div className="mt-4 flex flex-wrap gap-2">
            <Button size="sm" kind="secondary" className="flex-1" onClick={() => setEditing(true)}>
              {t('body.add')}
            </Button>
            <Button size="sm" kind="quiet" onClick={() => bioInfoFlow.postpone()}>
              {t('body.ask.no')}
            </Button>
          </div>
        </Frame>
      )}
      <Sheet open={editing} onOpenChange={close} title={t('body.editTitle')} description={t('body.why')}>
        <BodyEditor onDone={close} />
      </Sheet>
    </>
  );
}

function InlineCard({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Card as="section" aria-label={title}>
      <h2 className="text-lg font-bold">{title}</h2>
      {children}
    </Card>
  );
}
