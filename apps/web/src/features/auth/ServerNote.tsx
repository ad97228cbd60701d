import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { useServerProfile } from './use-server-profile.ts';

/** Says that this server waits for its operator. Servers at a public address never say it. */
export function ServerNote() {
  const { t } = useTranslation('auth');
  const is_waiting = useServerProfile()?.is_waiting_for_operator;
  return is_waiting ? t('waitsForOperator') : null;
}

/** The name that the operator gave this server. A narrow screen cuts a long one. */
export function ServerName() {
  const name = useServerProfile()?.name;
  return name ? <span title={name}>{`· ${name}`}</span> : null;
}
