import type { BioInfo } from '@sendlap/contract/bio-info.ts';
import {
  type BioInfoDraft,
  type BioInfoValues,
  BODY_FIELDS,
  type BodyField,
  type FieldProblem,
  readBioInfoDraft,
} from '@sendlap/domain/bio-info-form.ts';
import { type FormEvent, type ReactNode, useRef, useState } from 'react';
import { currentLocale } from '#web/shared/i18n/i18n.ts';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { NetworkButton } from '#web/shared/ui/NetworkButton.tsx';
import { Problem } from '#web/shared/ui/Problem.tsx';
import { toast } from '#web/shared/ui/toast.ts';
import { BodyConflict } from './BodyConflict.tsx';
import { BodyFields } from './BodyFields.tsx';
import { bioInfoFlow, useBioInfo } from './bio-info-client.ts';
import { formatTyped } from './format-body.ts';
import { useBioInfoText } from './use-bio-info-text.ts';

interface BodyEditorProps {
  onDone: () => void;
  /** Other ways on, under the button. */
  children?: ReactNode;
}

/** Types body data and saves it; when somebody else was quicker, asks which of the two shall stay. */
export function BodyEditor({ onDone, children }: BodyEditorProps) {
  const { t } = useTranslation(['users', 'shell']);
  const bioInfoText = useBioInfoText();
  const form = useRef<HTMLFormElement>(null);
  const bio = useBioInfo();
  const [draft, setDraft] = useState(() => draftOf(bio.bio_info));
  const [problems, setProblems] = useState<Partial<Record<BodyField, FieldProblem>>>({});

  const save = async (values: BioInfoValues) => {
    await bioInfoFlow.save(values);
    if (bioInfoFlow.getState().write !== 'saved') return;
    toast({ title: t('users:body.saved'), tone: 'success' });
    onDone();
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const read = readBioInfoDraft(draft);
    setProblems('problems' in read ? read.problems : {});
    if ('values' in read) return void save(read.values);
    const first = BODY_FIELDS.find((field) => read.problems[field]);
    form.current?.querySelector<HTMLInputElement>(`[data-field=${first}]`)?.focus();
  };

  if (bio.wanted !== null) {
    return (
      <BodyConflict
        wanted={bio.wanted}
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

function draftOf(saved: BioInfo | null): BioInfoDraft {
  if (!saved) return { age: '', weight_kg: '', height_cm: '', male: null };
  const locale = currentLocale();
  return {
    age: formatTyped(saved.age, locale),
    weight_kg: formatTyped(saved.weight_kg, locale),
    height_cm: formatTyped(saved.height_cm, locale),
    male: saved.male,
  };
}
