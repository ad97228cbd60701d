import { useEffect } from 'react';
import { deviceStorage } from '#web/shared/device/device-storage.ts';
import { useOnline } from '#web/shared/device/online.ts';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { canSendWhenClosed } from '#web/shared/outbox/send/background-sync.ts';
import { useOutbox } from '#web/shared/outbox/use-outbox.ts';
import { toast } from '#web/shared/ui/feedback/toast.ts';
import { hasWaiting } from './sync-state.ts';

const TOLD_KEY = 'open-to-send-told';
const SHOWN_MS = 12_000;

/** Where the browser sends nothing while the app is closed, says so once on this device, when something first waits. */
export function useOpenToSendNote(): void {
  const { t } = useTranslation('outbox');
  const online = useOnline();
  const is_waiting = hasWaiting(useOutbox(), online);
  useEffect(() => {
    if (!is_waiting || canSendWhenClosed() || deviceStorage.getItem(TOLD_KEY) !== null) return;
    deviceStorage.setItem(TOLD_KEY, 'yes');
    toast({ title: t('openToSend.title'), description: t('openToSend.text'), timeout_ms: SHOWN_MS });
  }, [is_waiting, t]);
}
