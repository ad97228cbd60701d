import { MAX_PUSH_SUBSCRIPTIONS } from '@sendlap/contract/push-subscriptions.ts';
import { useQuery } from '@tanstack/react-query';
import { ApiError } from '#web/shared/api/errors.ts';
import { useUser } from '#web/shared/api/use-session.ts';
import { useSettings } from '#web/shared/data/settings.ts';
import { useOnline } from '#web/shared/device/online.ts';
import { useErrorText } from '#web/shared/i18n/use-error-text.ts';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { Problem } from '#web/shared/ui/controls/Problem.tsx';
import { Switch } from '#web/shared/ui/controls/Switch.tsx';
import { useOptimisticValue } from '#web/shared/ui/controls/use-optimistic-value.ts';
import { pushReplacedQuery, pushStateQuery, useSwitchPush } from './queries.ts';

/** Whether this browser notifies while the app is closed. If the browser cannot, says why and what the user can do. */
export function DeviceSwitch() {
  const { t } = useTranslation('notifications');
  const user = useUser();
  const online = useOnline();
  const errorText = useErrorText();
  const { data: state } = useQuery(pushStateQuery(user.id));
  const { data: is_replaced } = useQuery({ ...pushReplacedQuery(user.id), enabled: online && state === 'on' });
  const { data: settings } = useSettings(user.id);
  const change = useSwitchPush(user.id);
  const [optimistic, choose] = useOptimisticValue(change.mutate);
  const is_on = optimistic ?? state === 'on';
  const is_unavailable = state !== undefined && state !== 'on' && state !== 'off';
  // Switching off works offline; switching on needs the server.
  const needs_network = !online && !is_on && !is_unavailable;
  // A user who dismisses the browser's prompt, or whose browser suppresses it, sees the switch go back.
  const was_refused = change.variables === true && change.data === 'off' && state === 'off' && optimistic === null;
  return (
    <div className="flex flex-col gap-2">
      <Switch
        label={t('device.label')}
        description={t(settings?.notifications.show_text ? 'device.textShown' : 'device.text')}
        checked={is_on}
        disabled={state === undefined || is_unavailable || needs_network}
        busy={optimistic !== null}
        // Not `disabled` while the change runs: the switch would lose the focus.
        onChange={(on) => {
          if (optimistic === null) choose(on);
        }}
      />
      {is_unavailable && <p className="rounded-md bg-sunken p-3 text-label">{t(`device.${state}`)}</p>}
      {optimistic && (
        <p role="status" className="text-sm text-ink-faint">
          {t('device.asking')}
        </p>
      )}
      {is_replaced && state === 'off' && optimistic === null && (
        <Problem>{t('device.replaced', { count: MAX_PUSH_SUBSCRIPTIONS })}</Problem>
      )}
      {was_refused && <Problem>{t('device.refused')}</Problem>}
      {change.isError && (
        // An error that is not from the server is from the browser, which could not reach its push service.
        <Problem>{change.error instanceof ApiError ? errorText(change.error) : t('device.failed')}</Problem>
      )}
    </div>
  );
}
