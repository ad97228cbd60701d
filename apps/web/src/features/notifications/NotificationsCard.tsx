import type { NotificationChoices } from '@sendlap/contract/users.ts';
import { useUser } from '#web/shared/api/use-session.ts';
import { useSettings } from '#web/shared/data/settings.ts';
import { useOnline } from '#web/shared/device/online.ts';
import { useErrorText } from '#web/shared/i18n/use-error-text.ts';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { Card } from '#web/shared/ui/Card.tsx';
import { Button } from '#web/shared/ui/controls/Button.tsx';
import { Problem } from '#web/shared/ui/controls/Problem.tsx';
import { Switch } from '#web/shared/ui/controls/Switch.tsx';
import { useOptimisticValue } from '#web/shared/ui/controls/use-optimistic-value.ts';
import { Skeleton } from '#web/shared/ui/feedback/Skeleton.tsx';
import { DeviceSwitch } from './DeviceSwitch.tsx';
import { QuietHours } from './QuietHours.tsx';
import { useUpdateChoices } from './queries.ts';

interface ChoicesUpdate {
  /** All changes that the server has not confirmed yet. */
  unconfirmed: Partial<NotificationChoices>;
  latest: Partial<NotificationChoices>;
}

const KINDS = ['messages', 'friends', 'proofs'] as const;

/** For the profile: whether this device notifies, and about which events. */
export function NotificationsCard() {
  const { t } = useTranslation('notifications');
  return (
    <Card as="section" className="flex flex-col gap-4">
      <h2 className="text-xl font-bold">{t('title')}</h2>
      <DeviceSwitch />
      <EventChoices />
    </Card>
  );
}

/** Which events the user is notified of, on all their devices. */
function EventChoices() {
  const { t } = useTranslation(['notifications', 'shell']);
  const user = useUser();
  const online = useOnline();
  const errorText = useErrorText();
  const settings = useSettings(user.id);
  const update = useUpdateChoices(user.id);
  // `optimistic`: the optimistic value until the server has accepted or rejected the latest change.
  const [optimistic, choose] = useOptimisticValue<ChoicesUpdate>(({ latest }, options) =>
    update.mutate(latest, options),
  );
  const choices = settings.data && { ...settings.data.notifications, ...optimistic?.unconfirmed };
  if (!choices) {
    if (!online) return <p className="text-sm text-ink-faint">{t('offline')}</p>;
    if (!settings.isError) return <Skeleton className="h-48 w-full rounded-lg" />;
    return (
      <>
        <Problem>{errorText(settings.error)}</Problem>
        <Button kind="secondary" size="sm" icon="sync" onClick={() => void settings.refetch()}>
          {t('shell:retry')}
        </Button>
      </>
    );
  }
  // Not disabled while a change is sent: a disabled control loses the focus.
  const disabled = !online || settings.is_copy;
  const change = (changed: Partial<NotificationChoices>) =>
    choose({ unconfirmed: { ...optimistic?.unconfirmed, ...changed }, latest: changed });
  return (
    <div className="flex flex-col gap-3">
      <h3 className="font-semibold">{t('what')}</h3>
      {KINDS.map((kind) => (
        <Switch
          key={kind}
          label={t(`kinds.${kind}`)}
          checked={choices[kind]}
          disabled={disabled}
          onChange={(on) => change({ [kind]: on })}
        />
      ))}
      <Switch
        label={t('showText.label')}
        description={t('showText.text')}
        checked={choices.show_text}
        disabled={disabled}
        onChange={(show_text) => change({ show_text })}
      />
      <QuietHours hours={choices.quiet_hours} disabled={disabled} onChange={(quiet_hours) => change({ quiet_hours })} />
      {!online && <p className="text-sm text-ink-faint">{t('offline')}</p>}
      {update.isError && <Problem>{errorText(update.error)}</Problem>}
    </div>
  );
}
