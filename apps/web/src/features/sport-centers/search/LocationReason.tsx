import type { PositionFailure } from '#web/shared/data/device-position.ts';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { useMeasures } from '#web/shared/units/use-measures.ts';
import type { DeviceKind } from './device-kind.ts';

/** A position leaves the device rounded to about this. */
const ROUNDED_KM = 0.1;

/** Why the app needs the position and how it is used, shown before the browser's prompt. */
export function LocationReason() {
  const { t } = useTranslation('sport-centers');
  const { distance } = useMeasures();
  return (
    <>
      <p>{t('location.ask.why')}</p>
      <p>{t('location.ask.privacy', { distance: distance(ROUNDED_KM) })}</p>
    </>
  );
}

interface LocationProblemProps {
  failure: PositionFailure;
  kind: DeviceKind;
}

/** The error text, and how to fix the problem on this kind of device. */
export function LocationProblem({ failure, kind }: LocationProblemProps) {
  const { t } = useTranslation('sport-centers');
  return (
    <>
      <p role="alert" className="font-medium text-ink">
        {t(`location.${failure}.what`)}
      </p>
      <p>{failure === 'denied' ? t(`location.denied.how.${kind}`) : t(`location.${failure}.how`)}</p>
    </>
  );
}
