import { useEffect, useRef } from 'react';
import { useLocation } from 'wouter';
import { deviceStorage } from '#web/shared/device/device-storage.ts';
import { useOnline } from '#web/shared/device/online.ts';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { canSendWhenClosed } from '#web/shared/outbox/send/background-sync.ts';
import { useOutbox } from '#web/shared/outbox/use-outbox.ts';
import { PATHS } from '#web/shared/paths.ts';
import { toast } from '#web/shared/ui/feedback/toast.ts';
import { hasWaiting } from './sync-state.ts';

const TOLD_KEY = 'open-to-send-told';
const SHOWN_MS = 12_000;

/** The note would lie over the code or the camera. */
const BUSY_PATHS: string[] = [PATHS.generate, PATHS.scan];

/**
 * Where the browser sends nothing while the app is closed, says so once on this device, when something first waits: as
 * soon as no code is shown or read.
 */
export function useOpenToSendNote(): void {
  const { t } = useTranslation('outbox');
  const online = useOnline();
  const [path] = useLocation();
  const is_busy = BUSY_PATHS.includes(path);
  const is_waiting = hasWaiting(useOutbox(), online);
  const note = useRef<{ close: () => void; ends_at: number } | null>(null);
  useEffect(() => {
    if (is_busy) {
      // Cut short, so it is said again afterwards.
      if (note.current && Date.now() < note.current.ends_at) deviceStorage.removeItem(TOLD_KEY);
      note.current?.close();
      note.current = null;
    } else if (is_waiting && !canSendWhenClosed() && deviceStorage.getItem(TOLD_KEY) === null) {
      deviceStorage.setItem(TOLD_KEY, 'yes');
      const close = toast({ title: t('openToSend.title'), description: t('openToSend.text'), timeout_ms: SHOWN_MS });
      note.current = { close, ends_at: Date.now() + SHOWN_MS };
    }
  }, [is_waiting, is_busy, t]);
}
