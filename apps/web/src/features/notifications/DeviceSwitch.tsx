import { MAX_PUSH_SUBSCRIPTIONS } from '@sendlap/contract/push-subscriptions.ts';
import { useQuery } from '@tanstack/react-query';
import { ApiError } from '#web/shared/api/errors.ts';
import { useUser } from '#web/shared/api/use-session.ts';
import { getSettingsQuery } from '#web/shared/data/settings.ts';
import { useOnline } from '#web/shared/device/online.ts';
import { useErrorText } from '#web/shared/i18n/use-error-text.ts';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { Problem } from '#web/shared/ui/controls/Problem.tsx';
import { Switch } from '#web/shared/ui/controls/Switch.tsx';
import { useWish } from '#web/shared/ui/controls/use-wish.ts';
import { pushReplacedQuery, pushStateQuery, useSwitchPush } from './queries.ts';

/** Whether this browser notifies while the app is closed. Where it cannot, it says why and what to do about it. */
export function DeviceSwitch() {
  const { t } = useTranslation('notifications');
  const user = useUser();
  const online = useOnline();
  const errorText = useErrorText();
  const { data: state } = useQuery(pushStateQuery(user.id));
  const { data: is_replaced } = useQuery({ ...pushReplacedQuery(user.id), enabled: online && state === 'on' });
  const { data: settings } = useQuery(getSettingsQuery(user.id));
  const change = useSwitchPush(user.id);
  const [wish, choose] = useWish(change.mutate);
  const is_on = wish ?? state === 'on';
  const cannot = state !== undefined && state !== 'on' && state !== 'off';
  // Off needs nobody; on needs the server.
  const needs_network = !online && !is_on && !cannot;
  // Whoever closes the browser's question, or has it ask in silence, sees the switch go back.
  const was_refused = change.variables === true && change.data === 'off' && state === 'off' && wish === null;
  return (
    <div className="flex flex-col gap-2">
      <Switch
        label={t('device.label')}
        description={t(settings?.notifications.show_text ? 'device.textShown' : 'device.text')}
        checked={is_on}
        disabled={state === undefined || cannot || needs_network}
        busy={wish !== null}
        // Disabled while it works it would lose the focus.
        onChange={(on) => {
          if (wish === null) choose(on);
        }}
      />
      {cannot && <p className="rounded-md bg-sunken p-3 text-[0.9375rem]">{t(`device.${state}`)}</p>}
      {wish && (
        <p role="status" className="text-sm text-ink-faint">
          {t('device.asking')}
        </p>
      )}
      {is_replaced && state === 'off' && wish === null && (
        <Problem>{t('device.replaced', { count: MAX_PUSH_SUBSCRIPTIONS })}</Problem>
      )}
      {was_refused && <Problem>{t('device.refused')}</Problem>}
      {change.isError && (
        // What is not the server's word is the browser's, which reached no push service.
        <Problem>{change.error instanceof ApiError ? errorText(change.error) : t('device.failed')}</Problem>
      )}
    </div>
  );
}
