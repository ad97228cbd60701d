import { useTranslation } from 'react-i18next';
import { Card } from '#web/shared/ui/Card.tsx';
import { LinkRow } from './LinkRow.tsx';
import { ACCOUNT_PATH, DEVICES_PATH } from './links.ts';

/** The ways to where I am signed in and to what is known about me. */
export function AccountLinks() {
  const { t } = useTranslation('users');
  return (
    <Card className="p-0!">
      <LinkRow href={DEVICES_PATH} icon="device" title={t('devices.link')} text={t('devices.linkText')} />
      <LinkRow href={ACCOUNT_PATH} icon="shield" title={t('account.link')} text={t('account.linkText')} />
    </Card>
  );
}
