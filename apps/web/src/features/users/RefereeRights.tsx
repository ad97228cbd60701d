import type { RefereeRight } from '@sendlap/contract/referees.ts';
import { Link } from 'wouter';
import { useUser } from '#web/shared/api/use-session.ts';
import { useRefereeRights } from '#web/shared/data/referee-rights.ts';
import { useErrorText } from '#web/shared/i18n/use-error-text.ts';
import { useLocale } from '#web/shared/i18n/use-language.ts';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { PATHS } from '#web/shared/paths.ts';
import { SPORT_LOOKS } from '#web/shared/sports/sport-look.ts';
import { formatDateOf } from '#web/shared/time/format-date.ts';
import { Card } from '#web/shared/ui/Card.tsx';
import { Button, buttonClasses } from '#web/shared/ui/controls/Button.tsx';
import { Tag } from '#web/shared/ui/controls/Tag.tsx';
import { Skeleton } from '#web/shared/ui/feedback/Skeleton.tsx';
import { Icon } from '#web/shared/ui/icons/Icon.tsx';

/** The centers where the user may confirm activities, with a link to the scanner. */
export function RefereeRights() {
  const { t } = useTranslation(['users', 'shell']);
  const errorText = useErrorText();
  const { rights, error, retry } = useRefereeRights(useUser().id);
  return (
    <Card as="section">
      <h2 className="text-label font-medium text-ink-soft">{t('users:refereeTitle')}</h2>
      {rights && <RefereeRightList rights={rights} />}
      {!rights && error === null && <Skeleton className="mt-3 h-6 w-2/3" />}
      {!rights && error !== null && (
        <div className="flex items-center justify-between gap-2">
          <p className="text-ink-faint">{errorText(error)}</p>
          <Button kind="quiet" size="sm" onClick={retry}>
            {t('shell:retry')}
          </Button>
        </div>
      )}
    </Card>
  );
}

function RefereeRightList({ rights }: { rights: RefereeRight[] }) {
  const { t } = useTranslation('users');
  if (rights.length === 0) return <p className="mt-1 text-ink-faint">{t('refereeNone')}</p>;
  return (
    <>
      <ul className="mt-2 flex flex-col gap-3">
        {rights.map((right) => (
          <RefereeRightItem key={right.sport_center_id} right={right} />
        ))}
      </ul>
      <Link href={PATHS.scan} className={`mt-4 ${buttonClasses('secondary', 'sm', true)}`}>
        <Icon name="scan" size={22} />
        {t('scan')}
      </Link>
      <Link href={PATHS.decisions} className={`mt-2 ${buttonClasses('quiet', 'sm', true)}`}>
        <Icon name="list" size={22} />
        {t('refereeDecisions')}
      </Link>
    </>
  );
}

function RefereeRightItem({ right }: { right: RefereeRight }) {
  const { t } = useTranslation(['users', 'shell']);
  const locale = useLocale();
  return (
    <li className="flex flex-wrap items-center gap-x-2 gap-y-1.5">
      <span className="w-full font-semibold">{right.sport_center_name}</span>
      {right.sport_types.map((sport) => (
        <Tag key={sport} tone={SPORT_LOOKS[sport].tone} icon={SPORT_LOOKS[sport].icon}>
          {t(`shell:sport.${sport}`)}
        </Tag>
      ))}
      {right.valid_until && (
        <span className="w-full text-sm text-ink-faint">
          {t('users:refereeUntil', { date: formatDateOf(right.valid_until, locale) })}
        </span>
      )}
    </li>
  );
}
