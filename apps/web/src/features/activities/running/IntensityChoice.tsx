import { INTENSITIES, type Intensity } from '@sendlap/domain/sports/sport-record.ts';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { SegmentedControl } from '#web/shared/ui/controls/SegmentedControl.tsx';

interface IntensityChoiceProps {
  value: Intensity;
  onChange: (intensity: Intensity) => void;
  /** 72 px high instead of 48, for chalky or wet hands. */
  large?: boolean;
}

/** How hard the activity is, as the athlete rates it. */
export function IntensityChoice({ value, onChange, large }: IntensityChoiceProps) {
  const { t } = useTranslation('activities');
  return (
    <div>
      <p aria-hidden="true" className="mb-1.5 text-label font-semibold">
        {t('intensity.label')}
      </p>
      <SegmentedControl
        large={large}
        label={t('intensity.label')}
        value={value}
        options={INTENSITIES.map((intensity) => ({ value: intensity, label: t(`intensity.${intensity}`) }))}
        onChange={onChange}
      />
      {value === 'hard' && <p className="anim-rise mt-2 text-sm text-ink-soft">{t('start.hardHint')}</p>}
    </div>
  );
}
