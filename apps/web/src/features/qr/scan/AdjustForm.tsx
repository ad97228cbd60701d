import { INTENSITIES } from '@sendlap/domain/sports/sport-record.ts';
import { hasDistance, SPORT_RECORDS } from '@sendlap/domain/sports.ts';
import { floorToUnit, fromWholeMetres, toWholeMetres } from '@sendlap/domain/units.ts';
import { useId, useState } from 'react';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { Button } from '#web/shared/ui/controls/Button.tsx';
import { IconButton } from '#web/shared/ui/controls/IconButton.tsx';
import { SegmentedControl } from '#web/shared/ui/controls/SegmentedControl.tsx';
import { useUnits } from '#web/shared/units/chosen-units.ts';
import { ScanFigures } from './ScanFacts.tsx';
import { type Adjustment, minutesOf, potentialScore } from './scan-op.ts';
import type { ScannedCode } from './scanned-code.ts';

const MINUTES_STEP = 5;
/** Metres or yards. */
const DISTANCE_STEP = 50;

interface AdjustFormProps {
  scan: ScannedCode;
  onConfirm: (adjustment: Adjustment) => void;
}

/** Confirms with corrections: the referee's observation replaces the athlete's input. The points update at once. */
export function AdjustForm({ scan, onConfirm }: AdjustFormProps) {
  const { t } = useTranslation('qr');
  const { swimming: unit } = useUnits();
  const [adjustment, setAdjustment] = useState<Adjustment>({});
  const declared_minutes = minutesOf(scan);
  const { sport_type } = scan.code;
  const { distance } = SPORT_RECORDS[sport_type];
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
      {distance !== null && hasDistance(sport_type) && (
        <NumberStepper
          label={t(`adjust.distance.${unit}`)}
          hint={t(distance_m > 0 ? 'adjust.paceDecides' : `adjust.easyWithout.${sport_type}`)}
          value={fromWholeMetres(distance_m, unit)}
          min={0}
          max={floorToUnit(distance.max_m, unit)}
          step={DISTANCE_STEP}
          onChange={(value) => set({ distance_m: toWholeMetres(value, unit) })}
        />
      )}
      {/* Where a distance is measured, the intensity is computed from the pace. */}
      {distance === null && (
        <div>
          <p aria-hidden="true" className="mb-1.5 text-label font-medium text-ink-soft">
            {t('adjust.intensity')}
          </p>
          <SegmentedControl
            label={t('adjust.intensity')}
            // The intensity that counts without the referee's input; a stated one counts as proven.
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

interface NumberStepperProps {
  label: string;
  hint?: string;
  value: number;
  min: number;
  max: number;
  /** Change per press. */
  step: number;
  onChange: (value: number) => void;
}

/** A number input for wet thumbs: large buttons, plus the keyboard. */
function NumberStepper({ label, hint, value, min, max, step, onChange }: NumberStepperProps) {
  const { t } = useTranslation('qr');
  const id = useId();
  // The raw input, which may be empty while typing; null: the field is not being edited.
  const [typed, setTyped] = useState<{ text: string; before: number } | null>(null);
  const changeBy = (change: number) => {
    setTyped(null);
    onChange(Math.min(max, Math.max(min, value + change)));
  };
  const handleInput = (text: string) => {
    const before = typed?.before ?? value;
    setTyped({ text, before });
    onChange(typedNumber(text, { before, min, max }));
  };
  return (
    <div>
      <label htmlFor={id} className="mb-1.5 block text-label font-medium text-ink-soft">
        {label}
      </label>
      <div className="flex items-center gap-2 rounded-lg bg-sunken p-1.5 focus-within:outline-3 focus-within:outline-accent">
        <IconButton
          icon="chevron-left"
          label={t('adjust.less', { label })}
          variant="tinted"
          onClick={() => changeBy(-step)}
        />
        <input
          id={id}
          inputMode="numeric"
          autoComplete="off"
          value={typed?.text ?? value}
          onChange={(event) => handleInput(event.target.value.replaceAll(/\D|^0+(?=\d)/g, ''))}
          onBlur={() => setTyped(null)}
          aria-describedby={hint ? `${id}-hint` : undefined}
          className="figures min-w-0 flex-1 bg-transparent text-center text-title font-bold outline-none"
        />
        <IconButton
          icon="chevron-right"
          label={t('adjust.more', { label })}
          variant="tinted"
          onClick={() => changeBy(step)}
        />
      </div>
      {hint && (
        <p id={`${id}-hint`} className="mt-1.5 text-sm text-ink-faint">
          {hint}
        </p>
      )}
    </div>
  );
}

interface TypedNumberOptions {
  /** The value before the user typed. */
  before: number;
  min: number;
  max: number;
}

/** Returns the typed number, clamped to `min` and `max`; `before` while the input is empty. */
export function typedNumber(digits: string, { before, min, max }: TypedNumberOptions): number {
  return digits === '' ? before : Math.min(max, Math.max(min, Number(digits)));
}
