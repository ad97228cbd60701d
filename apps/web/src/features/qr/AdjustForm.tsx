import { INTENSITIES } from '@sendlap/domain/scoring.ts';
import { useState } from 'react';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { Button } from '#web/shared/ui/Button.tsx';
import { Segmented } from '#web/shared/ui/Segmented.tsx';
import { NumberStepper } from './NumberStepper.tsx';
import { ScanFigures } from './ScanFacts.tsx';
import { type Adjustment, minutesOf, potentialScore } from './scan-op.ts';
import type { ScannedCode } from './scanned-code.ts';

const MINUTES_STEP = 5;
const METRES_STEP = 50;
/** The contract's limit of one activity. */
const MAX_METRES = 100_000;

interface AdjustFormProps {
  scan: ScannedCode;
  onConfirm: (adjustment: Adjustment) => void;
}

/** Confirms with what the referee saw instead of what the athlete typed. The points follow at once. */
export function AdjustForm({ scan, onConfirm }: AdjustFormProps) {
  const { t } = useTranslation('qr');
  const [adjustment, setAdjustment] = useState<Adjustment>({});
  const declared_minutes = minutesOf(scan);
  const swimming = scan.code.sport_type === 'swimming';
  const distance_m = adjustment.distance_m ?? scan.code.distance_m ?? 0;
  const set = (change: Partial<Adjustment>) => setAdjustment({ ...adjustment, ...change });
  return (
    <div className="flex flex-col gap-4">
      <ScanFigures scan={scan} adjustment={adjustment} by_referee />
      <NumberStepper
        label={t('adjust.minutes')}
        hint={t('adjust.minutesHint', { count: declared_minutes })}
        value={adjustment.minutes ?? declared_minutes}
        min={1}
        max={Math.max(1, declared_minutes)}
        step={MINUTES_STEP}
        onChange={(minutes) => set({ minutes: minutes < declared_minutes ? minutes : undefined })}
      />
      {swimming && (
        <NumberStepper
          label={t('adjust.distance')}
          hint={t(distance_m > 0 ? 'adjust.paceDecides' : 'adjust.easyWithout')}
          value={distance_m}
          min={0}
          max={MAX_METRES}
          step={METRES_STEP}
          onChange={(metres) => set({ distance_m: metres })}
        />
      )}
      {/* How hard a swim was the pace says, not a feeling. */}
      {!swimming && (
        <div>
          <p aria-hidden="true" className="mb-1.5 text-[0.9375rem] font-medium text-ink-soft">
            {t('adjust.intensity')}
          </p>
          <Segmented
            label={t('adjust.intensity')}
            // What counts without a word of the referee; stating anything else proves it.
            value={adjustment.intensity ?? potentialScore(scan, {}, { by_referee: true }).intensity_used}
            options={INTENSITIES.map((value) => ({ value, label: t(`adjust.${value}`) }))}
            onChange={(intensity) => set({ intensity })}
          />
        </div>
      )}
      <Button size="lg" icon="check" wide onClick={() => onConfirm(adjustment)}>
        {t('adjust.confirm')}
      </Button>
    </div>
  );
}
