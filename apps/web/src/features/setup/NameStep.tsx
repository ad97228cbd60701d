import { MAX_SERVER_NAME_LENGTH } from '@sendlap/contract/server-profile.ts';
import { countCodePoints } from '@sendlap/domain/messages.ts';
import { cleanText } from '@sendlap/domain/names.ts';
import { type FormEvent, useState } from 'react';
import { ApiError } from '#web/shared/api/errors.ts';
import { useErrorText } from '#web/shared/i18n/use-error-text.ts';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { Field } from '#web/shared/ui/controls/Field.tsx';
import { NetworkButton } from '#web/shared/ui/controls/NetworkButton.tsx';
import { toast } from '#web/shared/ui/feedback/toast.ts';
import { useUpdateServerProfile } from './queries.ts';
import { StepCard } from './StepCard.tsx';

/** The name of the club or town; an empty one removes it. */
export function NameStep({ name }: { name: string | null }) {
  const { t } = useTranslation(['setup', 'shell']);
  const errorText = useErrorText();
  const [typed, setTyped] = useState(name ?? '');
  const update = useUpdateServerProfile();
  const cleaned = cleanText(typed);
  const problem =
    typed.trim() !== '' && cleaned === ''
      ? t('setup:name.invisible')
      : countCodePoints(cleaned) > MAX_SERVER_NAME_LENGTH
        ? t('setup:name.tooLong', { max: MAX_SERVER_NAME_LENGTH })
        : null;
  const describe = (error: Error) =>
    error instanceof ApiError && error.backend_error === 'validation_failed'
      ? t('setup:name.refused')
      : errorText(error);
  const save = (event: FormEvent) => {
    event.preventDefault();
    if (problem !== null) return;
    update.mutate(
      { name: cleaned || null },
      { onSuccess: () => toast({ title: t('setup:name.saved'), tone: 'success' }) },
    );
  };
  return (
    <StepCard number={1} title={t('setup:name.title')} is_done={name !== null}>
      <form noValidate onSubmit={save} className="flex flex-col gap-3">
        <Field
          label={t('setup:name.label')}
          hint={t('setup:name.text')}
          error={problem ?? (update.error && describe(update.error))}
          placeholder={t('setup:name.placeholder')}
          value={typed}
          autoComplete="organization"
          enterKeyHint="done"
          className="[&>div]:bg-sunken"
          onChange={(event) => setTyped(event.target.value)}
        />
        <NetworkButton type="submit" kind="secondary" size="sm" wide busy={update.isPending}>
          {t('shell:save')}
        </NetworkButton>
      </form>
    </StepCard>
  );
}
