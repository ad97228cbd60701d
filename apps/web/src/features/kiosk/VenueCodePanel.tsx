import { VENUE_STEP_MS } from '@sendlap/domain/qr-code.ts';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { Icon } from '#web/shared/ui/Icon.tsx';
import { QrImage } from '#web/shared/ui/QrImage.tsx';
import { StepRing } from '#web/shared/ui/StepRing.tsx';
import type { Pairing } from './kiosk-records.ts';
import { useVenueCode } from './use-venue-code.ts';

const STEP_S = VENUE_STEP_MS / 1000;

/** The code and its time. White in every theme: that is what cameras read best in bad light. */
export function VenueCodePanel({ pairing, now_ms }: { pairing: Pairing; now_ms: number }) {
  const { t } = useTranslation(['kiosk', 'shell']);
  const code = useVenueCode(pairing, now_ms);
  if (code.kind === 'no_key') return <NoCode />;
  return (
    <section className="kiosk-code overflow-hidden rounded-xl bg-white text-black shadow-low">
      {code.kind === 'ready' ? (
        <QrImage
          text={code.drawn.url}
          label={t('code.image', { center: pairing.center.name })}
          className="kiosk-qr block aspect-square"
        />
      ) : (
        <div role="status" aria-label={t('shell:loading')} className="kiosk-qr aspect-square p-[7%]">
          <div className="anim-shimmer size-full rounded-lg bg-black/10" />
        </div>
      )}
      <div className="kiosk-words flex items-center gap-4 px-6 pb-5">
        <div className="min-w-0 flex-1">
          <h2 className="text-[clamp(1.125rem,2.2vw,1.5rem)] leading-tight font-bold">{t('code.title')}</h2>
          <p className="mt-1 text-[0.9375rem] text-black/65">{t('code.how')}</p>
        </div>
        {code.kind === 'ready' && (
          <StepRing
            step_s={STEP_S}
            seconds_left={code.seconds_left}
            label={t('code.nextIn', { seconds: code.seconds_left })}
          />
        )}
      </div>
    </section>
  );
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
