import { useLocale } from '#web/shared/i18n/use-language.ts';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { Button } from '#web/shared/ui/Button.tsx';
import { Card } from '#web/shared/ui/Card.tsx';
import type { ActivityView } from './activity-view.ts';
import { isForgotten } from './stop.ts';
import { formatMinutes } from './times.ts';
import { useNow } from './use-now.ts';

const MINUTE_MS = 60_000;

/** After 4 hours nobody is still climbing: asks when it really ended. */
export function ForgottenActivity({ activity, onAsk }: { activity: ActivityView; onAsk: () => void }) {
  const { t } = useTranslation('activities');
  const locale = useLocale();
  const now = useNow(MINUTE_MS);
  if (!isForgotten(activity, now)) return null;
  const time = formatMinutes(Math.floor((now - Date.parse(activity.started_at)) / MINUTE_MS), locale);
  return (
    <Card as="section" tone="accent" className="flex flex-col gap-3">
      <div>
        <h2 className="font-bold text-accent-ink">{t('running.forgottenTitle')}</h2>
        <p className="mt-0.5 text-[0.9375rem]">{t('running.forgottenText', { time })}</p>
      </div>
      <Button size="sm" onClick={onAsk}>
        {t('running.forgottenAction')}
      </Button>
    </Card>
  );
}
