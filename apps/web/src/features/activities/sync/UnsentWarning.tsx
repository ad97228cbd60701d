import { DAY_MS } from '@sendlap/domain/durations.ts';
import { useState } from 'react';
import { deviceStorage } from '#web/shared/device/device-storage.ts';
import { isIosSafari } from '#web/shared/device/install-prompt.ts';
import { useOnline } from '#web/shared/device/online.ts';
import { useLocale } from '#web/shared/i18n/use-language.ts';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { useOutbox } from '#web/shared/outbox/use-outbox.ts';
import { formatDay } from '#web/shared/time/format-day.ts';
import { useNow } from '#web/shared/time/use-now.ts';
import { CornerCard } from '#web/shared/ui/CornerCard.tsx';
import { Button } from '#web/shared/ui/controls/Button.tsx';
import { OutboxSheet } from './OutboxSheet.tsx';
import { oldestUnsentAt } from './sync-state.ts';

const WARN_AFTER_MS = 3 * DAY_MS;
const WARNED_KEY = 'unsent-warned-at';

/** Warns, once a day, of what has waited on this device for three days and cannot be sent now. */
export function UnsentWarning() {
  const { t } = useTranslation('outbox');
  const locale = useLocale();
  const snapshot = useOutbox();
  const online = useOnline();
  const now = useNow(Date.now);
  const [warned_at, setWarnedAt] = useState(() => Number(deviceStorage.getItem(WARNED_KEY)));
  // Set by the first failed attempt, so that the warning does not flicker between attempts.
  const [has_failed, setHasFailed] = useState(false);
  const [open, setOpen] = useState(false);
  const is_failing = !online || snapshot.status === 'error';
  if (is_failing && !has_failed) setHasFailed(true);
  const since = oldestUnsentAt(snapshot);
  if (open) return <OutboxSheet onClose={() => setOpen(false)} />;
  // A time in the future was saved while the clock was ahead: ignored.
  const was_warned = now >= warned_at && now - warned_at < DAY_MS;
  if (since === null || !has_failed || was_warned || now - since < WARN_AFTER_MS) return null;

  const dismiss = () => {
    deviceStorage.setItem(WARNED_KEY, String(now));
    setWarnedAt(now);
  };
  return (
    <CornerCard title={t('old.title')} icon="warning">
      <p className="mt-1 text-label text-ink-soft">{t('old.text', { day: formatDay(since, locale) })}</p>
      {isIosSafari() && <p className="mt-2 text-label text-ink-soft">{t('old.safari')}</p>}
      <div className="mt-4 flex gap-2">
        <Button
          size="sm"
          kind="secondary"
          className="flex-1"
          onClick={() => {
            dismiss();
            setOpen(true);
          }}
        >
          {t('old.show')}
        </Button>
        <Button size="sm" kind="quiet" onClick={dismiss}>
          {t('old.ok')}
        </Button>
      </div>
    </CornerCard>
  );
}
