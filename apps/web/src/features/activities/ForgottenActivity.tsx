import { FORGOTTEN_AFTER_MS, MAX_ACTIVITY_DURATION_MS } from '@sendlap/domain/scan-checks.ts';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useLanguage } from '#web/shared/i18n/use-language.ts';
import { Button } from '#web/shared/ui/Button.tsx';
import { Card } from '#web/shared/ui/Card.tsx';
import { Field } from '#web/shared/ui/Field.tsx';
import { Sheet } from '#web/shared/ui/Sheet.tsx';
import type { ActivityView } from './activity-view.ts';
import { formatMinutes, fromLocalInput, toLocalInput } from './times.ts';
import { useNow } from './use-now.ts';

const MINUTE_MS = 60_000;
/** A usual visit: what the question proposes. */
const USUAL_MS = 90 * MINUTE_MS;

interface ForgottenActivityProps {
  activity: ActivityView;
  /** ms epoch */
  onStopped: (ended_at: number) => void;
}

/** After 4 hours nobody is still climbing: asks when it really ended. */
export function ForgottenActivity({ activity, onStopped }: ForgottenActivityProps) {
  const { t } = useTranslation('activities');
  const language = useLanguage();
  const [asking, setAsking] = useState(false);
  const elapsed_ms = useNow(MINUTE_MS) - Date.parse(activity.started_at);
  if (elapsed_ms < FORGOTTEN_AFTER_MS) return null;
  const time = formatMinutes(Math.floor(elapsed_ms / MINUTE_MS), language);
  return (
    <Card as="section" tone="accent" className="flex flex-col gap-3">
      <div>
        <h2 className="font-bold text-accent-ink">{t('running.forgottenTitle')}</h2>
        <p className="mt-0.5 text-[0.9375rem]">{t('running.forgottenText', { time })}</p>
      </div>
      <Button size="sm" onClick={() => setAsking(true)}>
        {t('running.forgottenAction')}
      </Button>
      <Sheet open={asking} onOpenChange={setAsking} title={t('running.forgottenAction')}>
        <StoppedAt started_at={Date.parse(activity.started_at)} onStopped={onStopped} />
      </Sheet>
    </Card>
  );
}

function StoppedAt({ started_at, onStopped }: { started_at: number; onStopped: (ended_at: number) => void }) {
  const { t } = useTranslation('activities');
  const now = useNow(MINUTE_MS);
  const [text, setText] = useState(() => toLocalInput(Math.ceil((started_at + USUAL_MS) / MINUTE_MS) * MINUTE_MS));
  const ended_at = fromLocalInput(text);
  const latest = Math.min(now, started_at + MAX_ACTIVITY_DURATION_MS);
  const valid = ended_at > started_at && ended_at <= latest;
  return (
    <form
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        if (valid) onStopped(ended_at);
      }}
    >
      <Field
        type="datetime-local"
        label={t('running.stoppedAt')}
        value={text}
        min={toLocalInput(started_at)}
        max={toLocalInput(latest)}
        onChange={(event) => setText(event.target.value)}
        {...(valid ? {} : { error: t('running.stoppedWrong') })}
      />
      <Button type="submit" wide disabled={!valid}>
        {t('running.stoppedSave')}
      </Button>
    </form>
  );
}
