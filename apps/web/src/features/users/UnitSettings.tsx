import { UNIT_CHOICES, UNIT_KINDS, type UnitKind } from '@sendlap/domain/units.ts';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { SegmentedControl } from '#web/shared/ui/controls/SegmentedControl.tsx';
import { chooseUnit, useUnits } from '#web/shared/units/chosen-units.ts';

/** The units of distances, of swimming and of body data. */
export function UnitSettings() {
  return (
    <div className="flex flex-col gap-2">
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
    <div className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1.5">
      <p aria-hidden="true" className="min-w-0 flex-1 basis-[5rem] text-label font-medium text-ink-soft">
        {t(`units.${kind}`)}
      </p>
      <SegmentedControl
        label={t(`units.${kind}`)}
        value={units[kind]}
        options={UNIT_CHOICES[kind].map((value) => ({ value, label: t(`units.choice.${value}`) }))}
        onChange={(unit) => chooseUnit(kind, unit)}
        className="w-40 max-w-full"
      />
    </div>
  );
}
