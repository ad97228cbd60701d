import { countCodePoints } from '@sendlap/domain/messages.ts';
import { cleanText, MAX_DISPLAY_NAME_LENGTH } from '@sendlap/domain/names.ts';
import { type FormEvent, type ReactNode, useState } from 'react';
import { useErrorText } from '#web/shared/i18n/use-error-text.ts';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { Field } from '#web/shared/ui/controls/Field.tsx';
import { NetworkButton } from '#web/shared/ui/controls/NetworkButton.tsx';
import { useUpdateSettings } from './queries.ts';

interface NameFormProps {
  user_id: string;
  /** Initial value of the field. */
  name: string;
  submit_label: string;
  onSaved: () => void;
  /** An alternative action below the button. */
  children?: ReactNode;
}

/** The display name on boards. */
export function NameForm({ user_id, name, submit_label, onSaved, children }: NameFormProps) {
  const { t } = useTranslation('users');
  const errorText = useErrorText();
  const [typed, setTyped] = useState(name);
  const [problem, setProblem] = useState<string | null>(null);
  const update = useUpdateSettings(user_id);
  const save = (event: FormEvent) => {
    event.preventDefault();
    const cleaned = cleanText(typed);
    if (cleaned === '') return setProblem(t('name.empty'));
    if (countCodePoints(cleaned) > MAX_DISPLAY_NAME_LENGTH)
      return setProblem(t('name.tooLong', { max: MAX_DISPLAY_NAME_LENGTH }));
    setProblem(null);
    update.mutate(cleaned, { onSuccess: onSaved });
  };
  return (
    <form noValidate onSubmit={save} className="flex flex-col gap-5 pt-1">
      <Field
        label={t('name.label')}
        hint={t('name.hint')}
        error={problem ?? (update.error && errorText(update.error))}
        value={typed}
        autoComplete="nickname"
        enterKeyHint="done"
        onChange={(event) => setTyped(event.target.value)}
      />
      <div className="flex flex-col gap-2">
        <NetworkButton type="submit" wide busy={update.isPending}>
          {submit_label}
        </NetworkButton>
        {children}
      </div>
    </form>
  );
}
