import { type BioInfoValues, BODY_FIELDS } from '@sendlap/domain/bio-info-form.ts';
import { useLocale } from '#web/shared/i18n/use-language.ts';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { formatBody, maleText } from './format-body.ts';

/** Body data to read. */
export function BodyFigures({ values }: { values: BioInfoValues }) {
  const { t } = useTranslation('users');
  const locale = useLocale();
  return (
    <dl className="grid grid-cols-2 gap-x-4 gap-y-3">
      {BODY_FIELDS.map((field) => (
        <Figure key={field} label={t(`body.${field}`)} text={formatBody(field, values[field], locale)} />
      ))}
      <Figure label={t('body.male')} text={t(maleText(values.male))} />
    </dl>
  );
}

function Figure({ label, text }: { label: string; text: string }) {
  return (
    <div>
      <dt className="text-sm text-ink-faint">{label}</dt>
      <dd className="figures text-xl font-semibold">{text}</dd>
    </div>
  );
}
