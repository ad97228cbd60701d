import type { User } from '@sendlap/contract/users.ts';
import { useState } from 'react';
import { useSettings } from '#web/shared/data/settings.ts';
import { useLocale } from '#web/shared/i18n/use-language.ts';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { Avatar } from '#web/shared/people/Avatar.tsx';
import { formatDateOf } from '#web/shared/time/format-date.ts';
import { IconButton } from '#web/shared/ui/controls/IconButton.tsx';
import { toast } from '#web/shared/ui/feedback/toast.ts';
import { Sheet } from '#web/shared/ui/sheet/Sheet.tsx';
import { NameForm } from './NameForm.tsx';

/** The user's profile, with the display name to edit. */
export function ProfileHeader({ user }: { user: User }) {
  const { t } = useTranslation(['users', 'shell']);
  const locale = useLocale();
  const settings = useSettings(user.id);
  const [editing, setEditing] = useState(false);
  const since = formatDateOf(user.created_at, locale);
  const saved = () => {
    setEditing(false);
    toast({ title: t('users:saved'), tone: 'success' });
  };
  return (
    <section aria-labelledby="profile-name" className="@container py-2">
      <div className="flex items-center gap-4 @max-xs:flex-wrap">
        <Avatar name={user.name} size="lg" />
        <div className="min-w-0 flex-1 @max-xs:order-last @max-xs:basis-full">
          <h2 id="profile-name" className="text-2xl font-bold tracking-tight wrap-break-word">
            {user.name}
          </h2>
          {user.email && <p className="text-label text-ink-soft wrap-anywhere">{user.email}</p>}
          <p className="text-sm text-ink-faint">{t('users:memberSince', { date: since })}</p>
          {settings.data?.display_name === null && (
            <p className="mt-1 text-sm text-ink-soft">{t('users:name.unset')}</p>
          )}
        </div>
        <span className="@max-xs:ml-auto">
          <IconButton icon="edit" label={t('users:name.edit')} variant="tinted" onClick={() => setEditing(true)} />
        </span>
      </div>
      <Sheet open={editing} onOpenChange={setEditing} title={t('users:name.title')}>
        <NameForm user_id={user.id} name={user.name} submit_label={t('shell:save')} onSaved={saved} />
      </Sheet>
    </section>
  );
}
