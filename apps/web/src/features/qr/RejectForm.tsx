import { useState } from 'react';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { Button } from '#web/shared/ui/Button.tsx';
import { Chip } from '#web/shared/ui/Chip.tsx';
import { Field } from '#web/shared/ui/Field.tsx';

const REASONS = ['notHere', 'times', 'sport', 'otherPerson'] as const;
/** The contract's limit. */
const MAX_REASON_LENGTH = 500;

/** A rejection needs a reason: one of the usual ones, or the referee's own words. */
export function RejectForm({ onReject }: { onReject: (reason: string) => void }) {
  const { t } = useTranslation('qr');
  const [reason, setReason] = useState('');
  return (
    <form
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        if (reason.trim()) onReject(reason);
      }}
    >
      <div className="flex flex-wrap gap-2.5">
        {REASONS.map((name) => {
          const text = t(`reject.${name}`);
          return (
            <Chip
              key={name}
              selected={reason === text}
              className={reason === text ? undefined : 'inset-ring-[1.5px] inset-ring-line'}
              onClick={() => setReason(text)}
            >
              {text}
            </Chip>
          );
        })}
      </div>
      <Field
        className="[&>div]:bg-sunken"
        label={t('reject.label')}
        placeholder={t('reject.placeholder')}
        value={reason}
        maxLength={MAX_REASON_LENGTH}
        onChange={(event) => setReason(event.target.value)}
      />
      <Button type="submit" kind="danger" icon="x" wide disabled={reason.trim() === ''}>
        {t('reject.action')}
      </Button>
    </form>
  );
}
