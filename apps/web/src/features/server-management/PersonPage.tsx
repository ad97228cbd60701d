import type { Person } from '@sendlap/contract/server-management/people.ts';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { useLocale } from '#web/shared/i18n/use-language.ts';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { centerManagementPath, PATHS } from '#web/shared/paths.ts';
import { SPORT_LOOKS } from '#web/shared/sports/sport-look.ts';
import { formatDateOf, formatLongDateOf } from '#web/shared/time/format-date.ts';
import { Card } from '#web/shared/ui/Card.tsx';
import { Tag } from '#web/shared/ui/controls/Tag.tsx';
import { LoadingOrError } from './LoadingOrError.tsx';
import { PersonActions } from './PersonActions.tsx';
import { personQuery } from './queries.ts';
import { ServerManagementScreen } from './ServerManagementScreen.tsx';
import { UserTags } from './UserTags.tsx';

/** A user: who they are, their rights, and what an operator can do. */
export function PersonPage({ public_id }: { public_id: string }) {
  const { t } = useTranslation('server-management');
  const { data: person, error, refetch } = useQuery(personQuery(public_id));
  return (
    <ServerManagementScreen title={t('person.title')} back={PATHS.people}>
      {person ? (
        <>
          <Facts person={person} />
          {person.referee_at.length > 0 && <RefereeAt centers={person.referee_at} />}
          <PersonActions person={person} />
        </>
      ) : (
        <LoadingOrError error={error} onRetry={() => void refetch()} />
      )}
    </ServerManagementScreen>
  );
}

function Facts({ person }: { person: Person }) {
  const { t } = useTranslation('server-management');
  const locale = useLocale();
  const { name, public_id, email, created_at, erase_after } = person;
  return (
    <Card as="section">
      <h2 className="text-xl font-bold wrap-anywhere">
        <bdi>{name}</bdi>
      </h2>
      <p className="text-ink-soft wrap-anywhere select-all">{public_id}</p>
      {email !== '' && <p className="text-ink-soft wrap-anywhere select-all">{email}</p>}
      <p className="mt-1 text-sm text-ink-faint">{t('person.since', { date: formatLongDateOf(created_at, locale) })}</p>
      <UserTags person={person} />
      {erase_after && (
        <p className="mt-3 rounded-md bg-danger-tint px-3 py-2 text-danger-ink">
          {t('person.eraseAfter', { date: formatLongDateOf(erase_after, locale) })}
        </p>
      )}
    </Card>
  );
}

function RefereeAt({ centers }: { centers: Person['referee_at'] }) {
  const { t } = useTranslation(['server-management', 'shell']);
  const locale = useLocale();
  return (
    <Card as="section">
      <h2 className="text-lg font-bold">{t('server-management:person.refereeAt')}</h2>
      <ul className="mt-1 flex flex-col gap-2">
        {centers.map(({ sport_center_id, sport_center_name, sport_types, valid_until }) => (
          <li key={sport_center_id}>
            <Link
              href={centerManagementPath(sport_center_id)}
              className="pressable inline-flex min-h-12 items-center text-accent-ink underline underline-offset-3 wrap-anywhere"
            >
              {sport_center_name}
            </Link>
            <span className="flex flex-wrap items-center gap-2">
              {sport_types.map((sport) => (
                <Tag key={sport} tone={SPORT_LOOKS[sport].tone} icon={SPORT_LOOKS[sport].icon}>
                  {t(`shell:sport.${sport}`)}
                </Tag>
              ))}
              {valid_until && (
                <span className="text-sm text-ink-soft">
                  {t('server-management:person.until', { date: formatDateOf(valid_until, locale) })}
                </span>
              )}
            </span>
          </li>
        ))}
      </ul>
      <p className="mt-3 text-sm text-ink-soft">{t('server-management:person.refereeNote')}</p>
    </Card>
  );
}
