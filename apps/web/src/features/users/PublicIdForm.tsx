import { isPublicId } from '@sendlap/domain/public-id.ts';
import { type FormEvent, useState } from 'react';
import { useErrorText } from '#web/shared/i18n/use-error-text.ts';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { Field } from '#web/shared/ui/Field.tsx';
import { NetworkButton } from '#web/shared/ui/NetworkButton.tsx';
import { toast } from '#web/shared/ui/toast.ts';
import { useChangePublicId } from './queries.ts';

interface PublicIdFormProps {
  user_id: string;
  public_id: string;
  onSaved: () => void;
}

/** Another public id. Whether it is free only the server knows, and it says so without saying whose it is. */
export function PublicIdForm({ user_id, public_id, onSaved }: PublicIdFormProps) {
  const { t } = useTranslation(['users', 'shell']);
  const errorText = useErrorText();
  const [typed, setTyped] = useState(public_id);
  const [malformed, setMalformed] = useState(false);
  const change = useChangePublicId(user_id);
  const type = (text: string) => {
    // Phones like to begin with a capital, which no id has.
    setTyped(text.trim().toLowerCase());
    setMalformed(false);
    change.reset();
  };
  const save = (event: FormEvent) => {
    event.preventDefault();
    if (!isPublicId(typed)) return setMalformed(true);
    if (typed === public_id) return onSaved();
    change.mutate(typed, {
      onSuccess(saved) {
        toast({ title: t('users:changeId.saved', { id: saved.public_id }), tone: 'success' });
        onSaved();
      },
    });
  };
  const rules = t('users:changeId.rules');
  return (
    <form noValidate onSubmit={save} className="flex flex-col gap-5 pt-1">
      <Field
        label={t('users:changeId.label')}
        hint={rules}
        error={malformed ? rules : change.error && errorText(change.error)}
        value={typed}
        autoCapitalize="none"
        autoComplete="off"
        autoCorrect="off"
        spellCheck={false}
        enterKeyHint="done"
        onChange={(event) => type(event.target.value)}
      />
      <NetworkButton type="submit" wide busy={change.isPending}>
        {t('shell:save')}
      </NetworkButton>
    </form>
  );
}
