import type { User } from '@sendlap/contract/users.ts';
import { isPublicId } from '@sendlap/domain/public-id.ts';
import { type FormEvent, useState } from 'react';
import { Link } from 'wouter';
import { openShareSheet } from '#web/shared/device/share.ts';
import { useErrorText } from '#web/shared/i18n/use-error-text.ts';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { FRIEND_CODE_PATH } from '#web/shared/paths.ts';
import { Card } from '#web/shared/ui/Card.tsx';
import { Button, buttonClasses } from '#web/shared/ui/controls/Button.tsx';
import { Field } from '#web/shared/ui/controls/Field.tsx';
import { IconButton } from '#web/shared/ui/controls/IconButton.tsx';
import { NetworkButton } from '#web/shared/ui/controls/NetworkButton.tsx';
import { copyText } from '#web/shared/ui/feedback/copy-text.ts';
import { toast } from '#web/shared/ui/feedback/toast.ts';
import { Icon } from '#web/shared/ui/icons/Icon.tsx';
import { Sheet } from '#web/shared/ui/sheet/Sheet.tsx';
import { useChangePublicId } from './queries.ts';

/** The id by which friends find the user: to copy, share or change. */
export function PublicIdCard({ user: { id, public_id } }: { user: Pick<User, 'id' | 'public_id'> }) {
  const { t } = useTranslation('users');
  const [changing, setChanging] = useState(false);
  const copy = () => copyText(public_id, { copied: t('copied'), failed: t('copyFailed') });
  const share = () => openShareSheet({ text: t('shareText', { id: public_id }) });
  return (
    <Card as="section">
      <div className="flex items-center gap-2">
        <div className="min-w-0 flex-1">
          <h2 className="text-label font-medium text-ink-soft">{t('publicId')}</h2>
          <p className="figures text-xl font-semibold wrap-anywhere select-all">{public_id}</p>
          <p className="text-sm text-ink-faint">{t('publicIdHint')}</p>
        </div>
        <IconButton icon="edit" variant="tinted" label={t('changeId.title')} onClick={() => setChanging(true)} />
      </div>
      <div className="mt-3 flex flex-wrap gap-2">
        <Button kind="secondary" size="sm" icon="copy" onClick={() => void copy()}>
          {t('copy')}
        </Button>
        {'share' in navigator && (
          <Button kind="secondary" size="sm" icon="share" onClick={share}>
            {t('share')}
          </Button>
        )}
        <Link href={FRIEND_CODE_PATH} className={buttonClasses('secondary', 'sm')}>
          <Icon name="qr" size={22} />
          {t('showCode')}
        </Link>
      </div>
      <Sheet open={changing} onOpenChange={setChanging} title={t('changeId.title')} description={t('changeId.text')}>
        <PublicIdForm user_id={id} public_id={public_id} onSaved={() => setChanging(false)} />
      </Sheet>
    </Card>
  );
}

interface PublicIdFormProps {
  user_id: string;
  public_id: string;
  onSaved: () => void;
}

/** Changes the public id. Only the server knows whether an id is free, and it does not reveal whose it is. */
function PublicIdForm({ user_id, public_id, onSaved }: PublicIdFormProps) {
  const { t } = useTranslation(['users', 'shell']);
  const errorText = useErrorText();
  const [typed, setTyped] = useState(public_id);
  const [malformed, setMalformed] = useState(false);
  const change = useChangePublicId(user_id);
  const handleInput = (text: string) => {
    // Phones capitalise the first letter, but ids are lower-case.
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
        is_code
        enterKeyHint="done"
        onChange={(event) => handleInput(event.target.value)}
      />
      <NetworkButton type="submit" wide busy={change.isPending}>
        {t('shell:save')}
      </NetworkButton>
    </form>
  );
}
