import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { Card } from '#web/shared/ui/Card.tsx';
import { LinkRow } from './LinkRow.tsx';
import { ABOUT_PATH, ACCOUNT_PATH, DEVICES_PATH, TOUR_PATH } from './links.ts';

/** The ways to where I am signed in, to what is known about me, and through the app once more. */
export function AccountLinks() {
  const { t } = useTranslation('users');
  return (
    <Card className="p-0!">
      <LinkRow href={DEVICES_PATH} icon="device" title={t('devices.link')} text={t('devices.linkText')} />
      <LinkRow href={ACCOUNT_PATH} icon="shield" title={t('account.link')} text={t('account.linkText')} />
      <LinkRow href={TOUR_PATH} icon="compass" title={t('tour.link')} text={t('tour.linkText')} />
      <LinkRow href={ABOUT_PATH} icon="list" title={t('about.link')} text={t('about.linkText')} />
    </Card>
  );
}
