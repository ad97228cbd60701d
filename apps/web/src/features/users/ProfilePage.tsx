import type { ReactNode } from 'react';
import { useUser } from '#web/shared/api/use-session.ts';
import { useSettings } from '#web/shared/data/settings.ts';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { PATHS, TOUR_PATH } from '#web/shared/paths.ts';
import { Card } from '#web/shared/ui/Card.tsx';
import { LinkRow } from '#web/shared/ui/controls/LinkRow.tsx';
import { OfflineAge } from '#web/shared/ui/feedback/OfflineAge.tsx';
import { Screen } from '#web/shared/ui/Screen.tsx';
import { ProfileHeader } from './ProfileHeader.tsx';
import { PublicIdCard } from './PublicIdCard.tsx';
import { RefereeRights } from './RefereeRights.tsx';
import { SettingsCard } from './SettingsCard.tsx';
import { SignOut } from './SignOut.tsx';

/** `body`: the card of body data. */
export function ProfilePage({ body }: { body: ReactNode }) {
  const { t } = useTranslation('users');
  const user = useUser();
  const { outdated_at } = useSettings(user.id);
  return (
    <Screen title={t('title')}>
      <div className="grid grid-cols-1 gap-4 wide:grid-cols-2 wide:items-start">
        <div className="flex min-w-0 flex-col gap-4">
          {outdated_at !== null && <OfflineAge cached_at={outdated_at} />}
          <ProfileHeader user={user} />
          <PublicIdCard user={user} />
          {body}
        </div>
        <div className="flex min-w-0 flex-col gap-4">
          <SettingsCard />
          <Card className="p-0!">
            <LinkRow href={PATHS.devices} icon="device" title={t('devices.link')} text={t('devices.linkText')} />
            <LinkRow href={PATHS.account} icon="shield" title={t('account.link')} text={t('account.linkText')} />
            <LinkRow href={TOUR_PATH} icon="compass" title={t('tour.link')} text={t('tour.linkText')} />
            <LinkRow href={PATHS.about} icon="list" title={t('about.link')} text={t('about.linkText')} />
          </Card>
          <RefereeRights />
          <SignOut user_id={user.id} />
        </div>
      </div>
    </Screen>
  );
}
