import type { BioInfo } from '@sendlap/contract/bio-info.ts';
import { BIO_INFO_BOUNDS } from '@sendlap/domain/bio-info/bio-info.ts';
import {
  type BioInfoDraft,
  type BioInfoValues,
  BODY_FIELDS,
  BODY_INPUTS,
  type BodyInput,
  type FieldProblem,
  type OpenedForm,
  parseBioInfoDraft,
  toBioInfoDraft,
} from '@sendlap/domain/bio-info/bio-info-form.ts';
import type { Units } from '@sendlap/domain/units.ts';
import { type FormEvent, type ReactNode, useRef, useState } from 'react';
import { currentLocale } from '#web/shared/i18n/i18n.ts';
import { useErrorText } from '#web/shared/i18n/use-error-text.ts';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { classes } from '#web/shared/ui/classes.ts';
import { Button } from '#web/shared/ui/controls/Button.tsx';
import { Field } from '#web/shared/ui/controls/Field.tsx';
import { NetworkButton } from '#web/shared/ui/controls/NetworkButton.tsx';
import { Problem } from '#web/shared/ui/controls/Problem.tsx';
import { SegmentedControl } from '#web/shared/ui/controls/SegmentedControl.tsx';
import { toast } from '#web/shared/ui/feedback/toast.ts';
import { useUnits } from '#web/shared/units/chosen-units.ts';
import { useMeasures } from '#web/shared/units/use-measures.ts';
import { BioInfoError } from './bio-info-calls.ts';
import { bioInfoFlow, useBioInfo } from './bio-info-client.ts';
import { formatForInput, maleTextKey, useBodyValueText } from './format-body.ts';

interface BodyEditorProps {
  onDone: () => void;
  /** Further actions, below the button. */
  children?: ReactNode;
}

/** Edits and saves body data; if another tab or device saved first, asks which version to keep. */
export function BodyEditor({ onDone, children }: BodyEditorProps) {
  const { t } = useTranslation(['users', 'shell']);
  const bioInfoText = useBioInfoText();
  const form = useRef<HTMLFormElement>(null);
  const bio = useBioInfo();
  const { body: unit } = useUnits();
  const [opened] = useState(() => openForm(bio.bio_info, unit));
  const [draft, setDraft] = useState<BioInfoDraft>(opened?.draft ?? { male: null });
  const [problems, setProblems] = useState<Partial<Record<BodyInput, FieldProblem>>>({});

  const save = async (values: BioInfoValues) => {
    await bioInfoFlow.save(values);
    if (bioInfoFlow.getState().write !== 'saved') return;
    toast({ title: t('users:body.saved'), tone: 'success' });
    onDone();
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const parsed = parseBioInfoDraft(draft, unit, opened);
    setProblems('problems' in parsed ? parsed.problems : {});
    if ('values' in parsed) return void save(parsed.values);
    const first = BODY_INPUTS[unit].find((input) => parsed.problems[input]);
    form.current?.querySelector<HTMLInputElement>(`[data-field=${first}]`)?.focus();
  };

  if (bio.attempted !== null) {
    return (
      <BodyConflict
        attempted={bio.attempted}
        saved={bio.bio_info}
        busy={bio.write === 'saving'}
        problem={bio.write === 'failed' ? bioInfoText(bio.write_error) : null}
        onKeepMine={(values) => void save(values)}
        onKeepSaved={onDone}
      />
    );
  }
  return (
    <form ref={form} noValidate onSubmit={submit} className="flex flex-col gap-5 pt-1">
      <BodyFields draft={draft} problems={problems} onChange={setDraft} />
      {bio.write === 'failed' && <Problem>{bioInfoText(bio.write_error)}</Problem>}
      <div className="flex flex-col gap-2">
        <NetworkButton type="submit" wide busy={bio.write === 'saving'}>
          {t('shell:save')}
        </NetworkButton>
        {children}
      </div>
    </form>
  );
}

function openForm(saved: BioInfo | null, unit: Units['body']): OpenedForm | null {
  const locale = currentLocale();
  return saved && { values: saved, draft: toBioInfoDraft(saved, unit, (value) => formatForInput(value, locale)) };
}

interface BodyFieldsProps {
  draft: BioInfoDraft;
  problems: Partial<Record<BodyInput, FieldProblem>>;
  onChange: (draft: BioInfoDraft) => void;
}

/** Feet and inches share a line. */
const WIDE_INPUTS: readonly BodyInput[] = ['age', 'weight_lb'];
const WHOLE_INPUTS: readonly BodyInput[] = ['age', 'height_ft', 'height_in'];

const MALE = { true: true, false: false, null: null } as const;
type MaleChoice = keyof typeof MALE;

/** The fields age, weight, height and sex, with their problems. */
function BodyFields({ draft, problems, onChange }: BodyFieldsProps) {
  const { t } = useTranslation('users');
  const { body: unit } = useUnits();
  const fieldProblemText = useFieldProblemText();
  const inputs: readonly BodyInput[] = BODY_INPUTS[unit];
  return (
    <>
      <div className="grid grid-cols-2 gap-x-3 gap-y-4">
        {inputs.map((input) => (
          <Field
            key={input}
            className={WIDE_INPUTS.includes(input) ? 'col-span-2' : 'col-span-2 min-[360px]:col-span-1'}
            label={t(`body.${input}`)}
            hint={t(`body.${input}Unit`)}
            error={fieldProblemText(input, problems[input])}
            value={draft[input] ?? ''}
            inputMode={WHOLE_INPUTS.includes(input) ? 'numeric' : 'decimal'}
            autoComplete="off"
            enterKeyHint={input === inputs.at(-1) ? 'done' : 'next'}
            maxLength={12}
            data-field={input}
            onChange={(event) => onChange({ ...draft, [input]: event.target.value })}
          />
        ))}
      </div>
      <div>
        <p aria-hidden="true" className="mb-1.5 text-label font-medium text-ink-soft">
          {t('body.male')}
        </p>
        <SegmentedControl<MaleChoice>
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

function useFieldProblemText(): (input: BodyInput, problem: FieldProblem | undefined) => string | null {
  const { t } = useTranslation('users');
  const { weight, height } = useMeasures();
  return (input, problem) => {
    if (!problem) return null;
    if (problem === 'not_whole' && input !== 'age') return t('body.fault.not_whole_height');
    if (problem !== 'out_of_range') return t(`body.fault.${problem}`);
    if (input === 'age') return t('body.fault.range_age', BIO_INFO_BOUNDS.age);
    if (input === 'height_in') return t('body.fault.range_height_in');
    const is_weight = input === 'weight_kg' || input === 'weight_lb';
    const { min, max } = BIO_INFO_BOUNDS[is_weight ? 'weight_kg' : 'height_cm'];
    const write = is_weight ? weight : height;
    return t('body.fault.range', { min: write(min), max: write(max) });
  };
}

interface ConflictingVersions {
  attempted: BioInfoValues;
  /** null: deleted by another tab or device. */
  saved: BioInfoValues | null;
}

interface BodyConflictProps extends ConflictingVersions {
  busy: boolean;
  problem: string | null;
  onKeepMine: (values: BioInfoValues) => void;
  onKeepSaved: () => void;
}

/** Both versions side by side, differences in bold; the user chooses which one to keep. */
function BodyConflict({ attempted, saved, busy, problem, onKeepMine, onKeepSaved }: BodyConflictProps) {
  const { t } = useTranslation('users');
  return (
    <div className="flex flex-col gap-5 pt-1">
      <div role="alert">
        <h3 className="font-bold">{t('body.conflict.title')}</h3>
        <p className="text-ink-soft">{t(saved ? 'body.conflict.text' : 'body.conflict.deletedText')}</p>
      </div>
      <Comparison attempted={attempted} saved={saved} />
      {problem !== null && <Problem>{problem}</Problem>}
      <div className="flex flex-col gap-2">
        <NetworkButton wide busy={busy} onClick={() => onKeepMine(attempted)}>
          {t('body.conflict.keepMine')}
        </NetworkButton>
        <Button wide kind="secondary" disabled={busy} onClick={onKeepSaved}>
          {t(saved ? 'body.conflict.keepSaved' : 'body.conflict.keepDeleted')}
        </Button>
      </div>
    </div>
  );
}

function Comparison({ attempted, saved }: ConflictingVersions) {
  const { t } = useTranslation('users');
  const bodyValueText = useBodyValueText();
  const rows = [
    ...BODY_FIELDS.map((field) => ({
      label: t(`body.${field}`),
      mine: bodyValueText(field, attempted[field]),
      theirs: saved && bodyValueText(field, saved[field]),
    })),
    { label: t('body.male'), mine: t(maleTextKey(attempted.male)), theirs: saved && t(maleTextKey(saved.male)) },
  ];
  return (
    <table className="figures w-full text-left">
      <thead className="text-sm text-ink-faint">
        <tr>
          <td />
          <th scope="col" className="py-1 font-medium">
            {t('body.conflict.mine')}
          </th>
          {saved && (
            <th scope="col" className="py-1 font-medium">
              {t('body.conflict.saved')}
            </th>
          )}
        </tr>
      </thead>
      <tbody>
        {rows.map(({ label, mine, theirs }) => {
          const cell_classes = classes('py-1.5', theirs !== null && theirs !== mine && 'font-bold text-accent-ink');
          return (
            <tr key={label}>
              <th scope="row" className="py-1.5 pr-2 font-normal text-ink-soft">
                {label}
              </th>
              <td className={cell_classes}>{mine}</td>
              {theirs !== null && <td className={cell_classes}>{theirs}</td>}
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

/** Returns the error text of a body data problem: the spec's, else the error's own. */
export function useBioInfoText(): (error: unknown) => string {
  const { t } = useTranslation('users');
  const errorText = useErrorText();
  return (error) => (error instanceof BioInfoError ? t(`body.problem.${error.problem}`) : errorText(error));
}
