import type { CenterDetails } from '@sendlap/contract/center-management/center-details.ts';
import { canHaveDistance, SPORTS, type Sport } from '@sendlap/domain/sports.ts';
import { type FormEvent, type InputHTMLAttributes, useState } from 'react';
import { useErrorText } from '#web/shared/i18n/use-error-text.ts';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { SPORT_LOOKS } from '#web/shared/sports/sport-look.ts';
import { Button } from '#web/shared/ui/controls/Button.tsx';
import { Chip } from '#web/shared/ui/controls/Chip.tsx';
import { Field } from '#web/shared/ui/controls/Field.tsx';
import { FormButtons } from '#web/shared/ui/controls/FormButtons.tsx';
import { Problem } from '#web/shared/ui/controls/Problem.tsx';
import { SegmentedControl } from '#web/shared/ui/controls/SegmentedControl.tsx';
import { toast } from '#web/shared/ui/feedback/toast.ts';
import { useReturnToSection } from '../section/use-return-to-section.ts';
import { type Access, accessOf } from './access.ts';
import { changeOf, type Draft, problemOf, TEXT_FIELDS, type TextField } from './details-form.ts';
import { PoolLengths } from './PoolLengths.tsx';
import { useUpdateDetails } from './queries.ts';

interface DetailsFormProps {
  id: string;
  /** The newest state; it may change while the form is open. */
  details: CenterDetails;
  onDone: () => void;
}

const INPUTS: Record<TextField, InputHTMLAttributes<HTMLInputElement>> = {
  name: { autoComplete: 'organization' },
  address: { autoComplete: 'street-address' },
  phone: { type: 'tel', autoComplete: 'tel' },
  url: { type: 'url', inputMode: 'url', autoComplete: 'url', autoCapitalize: 'none' },
};
const ACCESS_VALUES = { public: false, private: true, unknown: null } as const;

/** Changes the facts. What another manager saves while it is open appears in the untouched fields. */
export function DetailsForm({ id, details, onDone }: DetailsFormProps) {
  const form = useReturnToSection();
  const { t } = useTranslation(['center-management', 'shell']);
  const errorText = useErrorText();
  const [draft, setDraft] = useState<Draft>({});
  const [opened_with] = useState(details);
  const update = useUpdateDetails(id);
  const set = (part: Draft) => setDraft((before) => ({ ...before, ...part }));
  const { is_private, sports, pool_lengths_m } = { ...details, ...draft };
  const is_refused = TEXT_FIELDS.some((field) => problemOf(field, draft[field] ?? details[field] ?? '') !== null);
  const save = (event: FormEvent) => {
    event.preventDefault();
    const change = changeOf(draft, details);
    if (is_refused) return;
    if (Object.keys(change).length === 0) return onDone();
    update.mutate(
      { version: details.version, ...change },
      {
        onSuccess: () => {
          toast({ title: t('center-management:details.saved'), tone: 'success' });
          onDone();
        },
      },
    );
  };
  return (
    <form ref={form} noValidate onSubmit={save} className="flex flex-col gap-4">
      {TEXT_FIELDS.map((field) => (
        <TextFact
          key={field}
          field={field}
          details={details}
          typed={draft[field]}
          before={opened_with[field]}
          onType={set}
        />
      ))}
      <AccessChoice is_private={is_private} onChange={set} />
      <SportsChoice sports={sports} onChange={set} />
      {sports.some(canHaveDistance) && (
        <PoolLengths lengths_m={pool_lengths_m} onChange={(lengths) => set({ pool_lengths_m: lengths })} />
      )}
      {update.error && <Problem>{errorText(update.error)}</Problem>}
      <FormButtons submit={t('shell:save')} busy={update.isPending} cancel={t('shell:cancel')} onCancel={onDone} />
    </form>
  );
}

interface ChoiceProps {
  onChange: (part: Draft) => void;
}

function AccessChoice({ is_private, onChange }: ChoiceProps & Pick<CenterDetails, 'is_private'>) {
  const { t } = useTranslation('center-management');
  return (
    <div>
      <p className="mb-1.5 text-label font-medium text-ink-soft">{t('details.access')}</p>
      <SegmentedControl<Access>
        label={t('details.access')}
        value={accessOf(is_private)}
        options={(['public', 'private', 'unknown'] as const).map((value) => ({ value, label: t(`details.${value}`) }))}
        onChange={(value) => onChange({ is_private: ACCESS_VALUES[value] })}
      />
    </div>
  );
}

function SportsChoice({ sports, onChange }: ChoiceProps & Pick<CenterDetails, 'sports'>) {
  const { t } = useTranslation(['center-management', 'shell']);
  const toggle = (sport: Sport) => {
    const next = SPORTS.filter((each) => sports.includes(each) !== (each === sport));
    // A center without a sport would be found by no search.
    if (next.length > 0) onChange({ sports: next });
  };
  return (
    <fieldset>
      <legend className="mb-1.5 text-label font-medium text-ink-soft">{t('center-management:details.sports')}</legend>
      <div className="flex flex-wrap gap-2">
        {SPORTS.map((sport) => (
          <Chip
            key={sport}
            selected={sports.includes(sport)}
            tone={SPORT_LOOKS[sport].tone}
            icon={SPORT_LOOKS[sport].icon}
            className="not-aria-pressed:bg-sunken"
            onClick={() => toggle(sport)}
          >
            {t(`shell:sport.${sport}`)}
          </Chip>
        ))}
      </div>
    </fieldset>
  );
}

interface TextFactProps {
  field: TextField;
  details: CenterDetails;
  /** undefined: not touched. */
  typed: string | undefined;
  /** The fact when the form was opened. */
  before: string | null;
  onType: (part: Draft) => void;
}

/**
 * One fact; with what another manager saved since the form was opened, and with what the imported data says instead,
 * where a manager has set it.
 */
function TextFact({ field, details, typed, before, onType }: TextFactProps) {
  const { t } = useTranslation('center-management');
  const { source_facts } = details;
  const value = typed ?? details[field] ?? '';
  const problem = problemOf(field, value);
  const source = source_facts[field] ?? '';
  const is_offered = field in source_facts && source !== value;
  return (
    <div>
      <Field
        label={t(`details.${field}`)}
        {...INPUTS[field]}
        value={value}
        error={problem && t(`details.problem.${problem}`)}
        className="[&>div]:bg-sunken"
        onChange={(event) => onType({ [field]: event.target.value })}
      />
      {typed !== undefined && details[field] !== before && (
        <p className="mt-1 text-sm wrap-anywhere text-ink-soft">
          {t('details.theirs', { value: details[field] ?? t('details.missing') })}
        </p>
      )}
      {is_offered && (
        <div className="mt-1 flex flex-wrap items-center gap-x-2 text-sm text-ink-soft">
          <span className="min-w-0 wrap-anywhere">
            {source === '' ? t('details.sourceNone') : t('details.source', { value: source })}
          </span>
          <Button kind="quiet" size="sm" className="-my-1" onClick={() => onType({ [field]: source })}>
            {t('details.useSource')}
          </Button>
        </div>
      )}
    </div>
  );
}
