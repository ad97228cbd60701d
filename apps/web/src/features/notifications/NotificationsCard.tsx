import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { Card } from '#web/shared/ui/Card.tsx';
import { Choices } from './Choices.tsx';
import { DeviceSwitch } from './DeviceSwitch.tsx';

/** For the profile: whether this device notifies, and of what. */
export function NotificationsCard() {
  const { t } = useTranslation('notifications');
  return (
    <Card as="section" className="flex flex-col gap-4">
      <h2 className="text-xl font-bold">{t('title')}</h2>
      <DeviceSwitch />
      <Choices />
    </Card>
  );
}
