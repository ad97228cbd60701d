import type { ReactNode } from 'react';
import { useUser } from '#web/shared/api/use-session.ts';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { Screen } from '#web/shared/ui/Screen.tsx';
import { AccountLinks } from './AccountLinks.tsx';
import { ProfileHead } from './ProfileHead.tsx';
import { PublicIdCard } from './PublicIdCard.tsx';
import { RefereeRights } from './RefereeRights.tsx';
import { SettingsCard } from './SettingsCard.tsx';
import { SignOut } from './SignOut.tsx';

/** `body`: the card of body data. */
export function ProfilePage({ body }: { body: ReactNode }) {
  const { t } = useTranslation('users');
  const user = useUser();
  return (
    <Screen title={t('title')}>
      <div className="grid grid-cols-1 gap-4 wide:grid-cols-2 wide:items-start">
        <div className="flex min-w-0 flex-col gap-4">
          <ProfileHead user={user} />
          <PublicIdCard user={user} />
          {body}
        </div>
        <div className="flex min-w-0 flex-col gap-4">
          <SettingsCard />
          <AccountLinks />
          <RefereeRights />
          <SignOut user_id={user.id} />
        </div>
      </div>
    </Screen>
  );
}
