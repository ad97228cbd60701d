import { useLocale } from '#web/shared/i18n/use-language.ts';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { outbox } from '#web/shared/outbox/client.ts';
import { useOutbox } from '#web/shared/outbox/use-outbox.ts';
import { formatSpan } from '#web/shared/time/format-span.ts';
import { CornerCard } from '#web/shared/ui/CornerCard.tsx';
import { Button } from '#web/shared/ui/controls/Button.tsx';
import { useFailureToast } from '../ops/use-failure-toast.ts';

/** Says that times were corrected because the device's clock was wrong, until the athlete has read it. */
export function ClockNote() {
  const { t } = useTranslation('outbox');
  const locale = useLocale();
  const showFailure = useFailureToast();
  const { user_id, activities } = useOutbox();
  const moves = activities.flatMap(({ corrected_ms }) => corrected_ms ?? []);
  if (user_id === null || moves.length === 0) return null;
  const largest = moves.reduce((one, other) => (Math.abs(other) > Math.abs(one) ? other : one));
  return (
    <CornerCard title={t('clock.title', { count: moves.length })} icon="clock">
      <p className="mt-1 text-label text-ink-soft">
        {t(largest < 0 ? 'clock.ahead' : 'clock.behind', { span: formatSpan(Math.abs(largest), locale) })}
      </p>
      <Button
        size="sm"
        kind="quiet"
        className="mt-4"
        onClick={() => void outbox.store.dismissCorrections(user_id).catch(showFailure)}
      >
        {t('old.ok')}
      </Button>
    </CornerCard>
  );
}
