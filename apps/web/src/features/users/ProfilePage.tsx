import { initials } from '@sendlap/domain/names.ts';
import { useTranslation } from 'react-i18next';
import { useUser } from '#web/shared/api/use-session.ts';
import { currentLocale } from '#web/shared/i18n/i18n.ts';
import { Screen } from '#web/shared/ui/Screen.tsx';
import { PublicIdCard } from './PublicIdCard.tsx';
import { RefereeRights } from './RefereeRights.tsx';
import { SettingsCard } from './SettingsCard.tsx';
import { SignOut } from './SignOut.tsx';

export function ProfilePage() {
  const { t } = useTranslation('users');
  const user = useUser();
  const since = new Intl.DateTimeFormat(currentLocale(), { dateStyle: 'long' }).format(new Date(user.created_at));
  return (
    <Screen title={t('title')}>
      <div className="grid grid-cols-1 gap-4 wide:grid-cols-2 wide:items-start">
        <div className="flex min-w-0 flex-col gap-4">
          <div className="flex items-center gap-4 py-2">
            <div
              aria-hidden="true"
              className="grid size-20 shrink-0 place-items-center rounded-full bg-accent-tint text-3xl font-bold text-accent-ink"
            >
              {initials(user.name)}
            </div>
            <div className="min-w-0">
              <h2 className="text-2xl font-bold tracking-tight break-words">{user.name}</h2>
              {user.email && <p className="truncate text-ink-soft">{user.email}</p>}
              <p className="text-sm text-ink-faint">{t('memberSince', { date: since })}</p>
            </div>
          </div>
          <PublicIdCard public_id={user.public_id} />
          <RefereeRights />
        </div>
        <div className="flex min-w-0 flex-col gap-4">
          <SettingsCard />
          <SignOut user_id={user.id} />
        </div>
      </div>
    </Screen>
  );
}
