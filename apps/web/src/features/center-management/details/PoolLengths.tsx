import { MAX_POOLS, POOL_LENGTH_M } from '@sendlap/contract/center-management/center-details.ts';
import { floorToUnit, M_PER_YARD, poolMetres } from '@sendlap/domain/units.ts';
import { type KeyboardEvent, useState } from 'react';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { Button } from '#web/shared/ui/controls/Button.tsx';
import { Chip } from '#web/shared/ui/controls/Chip.tsx';
import { Field } from '#web/shared/ui/controls/Field.tsx';
import { useUnits } from '#web/shared/units/chosen-units.ts';
import { useMeasures } from '#web/shared/units/use-measures.ts';
import { parsePoolLength } from './details-form.ts';

/** Offered without typing. */
const COMMON_LENGTHS_M = { m: [25, 50], yd: [poolMetres(25), 25, 50] };

interface PoolLengthsProps {
  lengths_m: readonly number[];
  onChange: (lengths_m: number[]) => void;
}

/** The lengths of the center's pools: common ones to tap, others to type. */
export function PoolLengths({ lengths_m, onChange }: PoolLengthsProps) {
  const { t } = useTranslation('center-management');
  const { pool, swumUnits } = useMeasures();
  const { swimming: unit } = useUnits();
  const [typed, setTyped] = useState('');
  const [is_refused, setRefused] = useState(false);
  const offered = [...new Set([...COMMON_LENGTHS_M[unit], ...lengths_m])].sort((a, b) => a - b);
  const range = {
    min: swumUnits(unit === 'm' ? POOL_LENGTH_M.min : Math.ceil(POOL_LENGTH_M.min / M_PER_YARD)),
    max: swumUnits(floorToUnit(POOL_LENGTH_M.max, unit)),
  };
  const toggle = (length: number) => {
    const next = lengths_m.includes(length) ? lengths_m.filter((each) => each !== length) : [...lengths_m, length];
    if (next.length <= MAX_POOLS) onChange(next.sort((a, b) => a - b));
  };
  const add = () => {
    const length = parsePoolLength(typed, unit);
    setRefused(length === null);
    if (length === null) return;
    if (!lengths_m.includes(length)) toggle(length);
    setTyped('');
  };
  const addOnEnter = (event: KeyboardEvent) => {
    if (event.key !== 'Enter') return;
    // Enter would send the form.
    event.preventDefault();
    add();
  };
  return (
    <fieldset>
      <legend className="mb-1.5 text-label font-medium text-ink-soft">{t('details.pools')}</legend>
      <div className="mb-3 flex flex-wrap gap-2">
        {offered.map((length) => (
          <Chip
            key={length}
            selected={lengths_m.includes(length)}
            tone="swim"
            className="not-aria-pressed:bg-sunken"
            onClick={() => toggle(length)}
          >
            {pool(length)}
          </Chip>
        ))}
      </div>
      <Field
        label={t(`details.otherPool.${unit}`)}
        inputMode="decimal"
        autoComplete="off"
        enterKeyHint="done"
        value={typed}
        error={is_refused ? t('details.problem.noLength', range) : null}
        className="[&>div]:bg-sunken"
        onKeyDown={addOnEnter}
        onChange={(event) => {
          setRefused(false);
          setTyped(event.target.value);
        }}
        action={
          <Button kind="quiet" size="sm" onClick={add}>
            {t('details.add')}
          </Button>
        }
      />
    </fieldset>
  );
}
