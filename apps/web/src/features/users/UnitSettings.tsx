import { UNIT_CHOICES, UNIT_KINDS, type UnitKind } from '@sendlap/domain/units.ts';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { SegmentedControl } from '#web/shared/ui/controls/SegmentedControl.tsx';
import { chooseUnit, useUnits } from '#web/shared/units/chosen-units.ts';

/** The units of distances, of swimming and of body data. */
export function UnitSettings() {
  return (
    <div className="flex flex-col gap-4">
      {UNIT_KINDS.map((kind) => (
        <UnitSetting key={kind} kind={kind} />
      ))}
    </div>
  );
}

function UnitSetting({ kind }: { kind: UnitKind }) {
  const { t } = useTranslation('users');
  const units = useUnits();
  return (
    <div>
      <p aria-hidden="true" className="mb-1.5 text-label font-medium text-ink-soft">
        {t(`units.${kind}`)}
      </p>
      <SegmentedControl
        label={t(`units.${kind}`)}
        value={units[kind]}
        options={UNIT_CHOICES[kind].map((value) => ({ value, label: t(`units.choice.${value}`) }))}
        onChange={(unit) => chooseUnit(kind, unit)}
      />
    </div>
  );
}
