import { type BioInfoValues, BODY_FIELDS } from '@sendlap/domain/bio-info-form.ts';
import { useLocale } from '#web/shared/i18n/use-language.ts';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { Button } from '#web/shared/ui/Button.tsx';
import { classes } from '#web/shared/ui/classes.ts';
import { NetworkButton } from '#web/shared/ui/NetworkButton.tsx';
import { Problem } from '#web/shared/ui/Problem.tsx';
import { formatBody, maleText } from './format-body.ts';

interface BodyConflictProps {
  wanted: BioInfoValues;
  /** null: deleted meanwhile. */
  saved: BioInfoValues | null;
  busy: boolean;
  problem: string | null;
  onKeepMine: (values: BioInfoValues) => void;
  onKeepSaved: () => void;
}

/** Both versions side by side, what differs in bold; the person says which one stays. */
export function BodyConflict({ wanted, saved, busy, problem, onKeepMine, onKeepSaved }: BodyConflictProps) {
  const { t } = useTranslation('users');
  return (
    <div className="flex flex-col gap-5 pt-1">
      <div role="alert">
        <h3 className="font-bold">{t('body.conflict.title')}</h3>
        <p className="text-ink-soft">{t(saved ? 'body.conflict.text' : 'body.conflict.deletedText')}</p>
      </div>
      <Comparison wanted={wanted} saved={saved} />
      {problem !== null && <Problem>{problem}</Problem>}
      <div className="flex flex-col gap-2">
        <NetworkButton wide busy={busy} onClick={() => onKeepMine(wanted)}>
          {t('body.conflict.keepMine')}
        </NetworkButton>
        <Button wide kind="secondary" disabled={busy} onClick={onKeepSaved}>
          {t(saved ? 'body.conflict.keepSaved' : 'body.conflict.keepDeleted')}
        </Button>
      </div>
    </div>
  );
}

function Comparison({ wanted, saved }: Pick<BodyConflictProps, 'wanted' | 'saved'>) {
  const { t } = useTranslation('users');
  const locale = useLocale();
  const rows = [
    ...BODY_FIELDS.map((field) => ({
      label: t(`body.${field}`),
      mine: formatBody(field, wanted[field], locale),
      theirs: saved && formatBody(field, saved[field], locale),
    })),
    { label: t('body.male'), mine: t(maleText(wanted.male)), theirs: saved && t(maleText(saved.male)) },
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
          const look = classes('py-1.5', theirs !== null && theirs !== mine && 'font-bold text-accent-ink');
          return (
            <tr key={label}>
              <th scope="row" className="py-1.5 pr-2 font-normal text-ink-soft">
                {label}
              </th>
              <td className={look}>{mine}</td>
              {theirs !== null && <td className={look}>{theirs}</td>}
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}
