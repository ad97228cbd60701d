import { timeStepAt, VENUE_TIME_STEP_MS } from '@sendlap/domain/qr-code.ts';
import { useEffect, useState } from 'react';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { Icon } from '#web/shared/ui/icons/Icon.tsx';
import { QrImage } from '#web/shared/ui/QrImage.tsx';
import { TimeStepRing } from '#web/shared/ui/TimeStepRing.tsx';
import type { Pairing } from './kiosk-state.ts';
import { createVenueCode, type DayKey, keyAt, type SignedVenueCode } from './venue-code.ts';

const STEP_S = VENUE_TIME_STEP_MS / 1000;

/**
 * The code and its time (`now_ms`: ms epoch, server time, in whole seconds). White in every theme: cameras read that
 * best in bad light.
 */
export function VenueCodePanel({ pairing: { center, keys }, now_ms }: { pairing: Pairing; now_ms: number }) {
  const { t } = useTranslation(['kiosk', 'shell']);
  const time_step = timeStepAt(now_ms, VENUE_TIME_STEP_MS);
  const key = keyAt(keys, now_ms);
  const code = useVenueCode(center.id, key, time_step);
  const seconds_left = ((time_step + 1) * VENUE_TIME_STEP_MS - now_ms) / 1000;
  // No key for this day: the kiosk was offline for too long.
  if (!key) return <NoCode />;
  return (
    <section className="kiosk-code rounded-xl bg-white text-black shadow-low">
      {code ? (
        <QrImage
          text={code.url}
          label={t('code.image', { center: center.name })}
          className="block aspect-square w-full"
        />
      ) : (
        <div role="status" aria-label={t('shell:loading')} className="aspect-square w-full p-[7%]">
          <div className="anim-shimmer size-full rounded-lg bg-black/10" />
        </div>
      )}
      <div className="kiosk-words flex items-center gap-4 px-6 pb-5">
        <div className="min-w-0 flex-1">
          <h2 className="text-[clamp(1.125rem,min(2.2vw,3vh),1.5rem)] leading-tight font-bold">{t('code.title')}</h2>
          <p className="mt-1 text-label text-black/65">{t('code.how')}</p>
        </div>
        {code && (
          <TimeStepRing
            time_step_s={STEP_S}
            seconds_left={seconds_left}
            label={t('code.nextIn', { seconds: seconds_left })}
          />
        )}
      </div>
    </section>
  );
}

/** The venue code of a time step, signed on this tablet once per step; null while there is no code to show. */
function useVenueCode(center_id: string, key: DayKey | null, time_step: number): SignedVenueCode | null {
  const [code, setCode] = useState<SignedVenueCode | null>(null);
  useEffect(() => {
    if (!key) return;
    let current = true;
    createVenueCode(center_id, key, time_step * VENUE_TIME_STEP_MS, location.origin).then(
      (next) => {
        if (current) setCode(next);
      },
      (error: unknown) => console.warn('venue code', error),
    );
    return () => {
      current = false;
    };
  }, [center_id, key, time_step]);
  // The previous step's code is still accepted while the next one is created; an older code is not.
  return code && Math.abs(time_step - code.time_step) <= 1 ? code : null;
}

function NoCode() {
  const { t } = useTranslation('kiosk');
  return (
    <section
      role="alert"
      className="kiosk-code flex flex-col items-center justify-center gap-3 rounded-xl bg-surface px-6 py-12 text-center"
    >
      <span className="grid size-18 place-items-center rounded-full bg-danger-tint text-danger-ink">
        <Icon name="offline" size={32} />
      </span>
      <h2 className="text-xl font-bold">{t('code.none.title')}</h2>
      <p className="max-w-[34ch] text-ink-soft">{t('code.none.text')}</p>
    </section>
  );
}
