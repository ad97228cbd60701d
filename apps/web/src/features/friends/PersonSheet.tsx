import type { Person } from '@sendlap/contract/friends.ts';
import { type RefObject, useState } from 'react';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { usePersonName } from '#web/shared/people/use-person-name.ts';
import { Button } from '#web/shared/ui/controls/Button.tsx';
import { Sheet } from '#web/shared/ui/sheet/Sheet.tsx';
import { BlockStep, RemoveStep } from './ConfirmStep.tsx';
import { PersonHeader } from './people/PersonHeader.tsx';
import { RelationActions } from './people/RelationActions.tsx';
import { useRelation } from './people/use-relation.ts';
import { ReportForm } from './ReportForm.tsx';

type Step = 'person' | 'remove' | 'block' | 'report';

interface PersonSheetProps {
  /** `public_id` is empty if the user is no longer a friend: a new request needs an id that the user shares again. */
  person: Person;
  onMessage: (friend_id: string) => void;
  onClose: () => void;
  /** The user was blocked: search results with the user are outdated. */
  onBlocked: (user_id: string) => void;
  /** Receives the focus if the user's row is gone. */
  focusAfter?: RefObject<HTMLElement | null>;
}

/** A profile card with all actions on a user; actions that can't be undone on the screen ask for a confirmation. */
export function PersonSheet({ person, onMessage, onClose, onBlocked, focusAfter }: PersonSheetProps) {
  const { t } = useTranslation('friends');
  const personName = usePersonName();
  const [step, setStep] = useState<Step>('person');
  const details = useRelation(person.id);
  const name = personName(person.name);
  const back = () => setStep('person');
  const message = (friend_id: string) => {
    onClose();
    onMessage(friend_id);
  };
  const blocked = () => {
    onBlocked(person.id);
    onClose();
  };
  return (
    <Sheet
      open
      onOpenChange={(open) => !open && onClose()}
      focusAfter={focusAfter}
      title={t(`${step}.title`, { name })}
      description={step === 'person' ? undefined : t(`${step}.text`, { name })}
    >
      {step === 'person' && (
        <div className="flex flex-col gap-5">
          <PersonHeader person={person} relation={details?.relation ?? 'none'} />
          {details && person.public_id !== '' && (
            <RelationActions person={person} details={details} onMessage={message} />
          )}
          <div className="flex flex-col gap-2">
            {details?.relation === 'friend' && (
              <Button kind="quiet" size="sm" wide onClick={() => setStep('remove')}>
                {t('action.remove')}
              </Button>
            )}
            <Button kind="quiet" size="sm" wide onClick={() => setStep('report')}>
              {t('action.report')}
            </Button>
            <Button kind="danger" size="sm" wide onClick={() => setStep('block')}>
              {t('action.block')}
            </Button>
          </div>
        </div>
      )}
      {step === 'remove' && (
        <RemoveStep name={name} friendship_id={details?.friendship_id ?? null} onBack={back} onDone={onClose} />
      )}
      {step === 'block' && <BlockStep name={name} user_id={person.id} onBack={back} onDone={blocked} />}
      {step === 'report' && <ReportForm name={name} user_id={person.id} onDone={onClose} onBlocked={blocked} />}
    </Sheet>
  );
}
