import { BIO_INFO_BOUNDS } from '@sendlap/domain/bio-info.ts';
import { type BioInfoDraft, BODY_FIELDS, type BodyField, type FieldProblem } from '@sendlap/domain/bio-info-form.ts';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { Field } from '#web/shared/ui/Field.tsx';
import { Segmented } from '#web/shared/ui/Segmented.tsx';

interface BodyFieldsProps {
  draft: BioInfoDraft;
  problems: Partial<Record<BodyField, FieldProblem>>;
  onChange: (draft: BioInfoDraft) => void;
}

const MALE = { true: true, false: false, null: null } as const;
type MaleChoice = keyof typeof MALE;

/** Age, weight, height, sex: what can be typed, and what is wrong with it. */
export function BodyFields({ draft, problems, onChange }: BodyFieldsProps) {
  const { t } = useTranslation('users');
  const faultText = useFaultText();
  return (
    <>
      <div className="grid grid-cols-2 gap-x-3 gap-y-4">
        {BODY_FIELDS.map((field) => (
          <Field
            key={field}
            className={field === 'age' ? 'col-span-2' : 'col-span-2 min-[360px]:col-span-1'}
            label={t(`body.${field}`)}
            hint={t(`body.${field}Unit`)}
            error={faultText(field, problems[field])}
            value={draft[field]}
            inputMode={field === 'age' ? 'numeric' : 'decimal'}
            autoComplete="off"
            enterKeyHint={field === 'height_cm' ? 'done' : 'next'}
            maxLength={12}
            data-field={field}
            onChange={(event) => onChange({ ...draft, [field]: event.target.value })}
          />
        ))}
      </div>
      <div>
        <p aria-hidden="true" className="mb-1.5 text-[0.9375rem] font-medium text-ink-soft">
          {t('body.male')}
        </p>
        <Segmented<MaleChoice>
          label={t('body.male')}
          value={String(draft.male) as MaleChoice}
          options={[
            { value: 'false', label: t('body.maleFalse') },
            { value: 'true', label: t('body.maleTrue') },
            { value: 'null', label: t('body.maleNull') },
          ]}
          onChange={(choice) => onChange({ ...draft, male: MALE[choice] })}
        />
      </div>
    </>
  );
}

function useFaultText(): (field: BodyField, problem: FieldProblem | undefined) => string | null {
  const { t } = useTranslation('users');
  return (field, problem) => {
    if (!problem) return null;
    return problem === 'out_of_range'
      ? t(`body.fault.range_${field}`, BIO_INFO_BOUNDS[field])
      : t(`body.fault.${problem}`);
  };
}
