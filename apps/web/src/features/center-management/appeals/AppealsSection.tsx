import { type CenterAppeal, listCenterAppeals } from '@sendlap/contract/center-management/center-appeals.ts';
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { call } from '#web/shared/api/client.ts';
import { isolate } from '#web/shared/i18n/format-message.ts';
import { listFormat } from '#web/shared/i18n/formats.ts';
import { useLocale } from '#web/shared/i18n/use-language.ts';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { PATHS } from '#web/shared/paths.ts';
import { usePersonName } from '#web/shared/people/use-person-name.ts';
import { SPORT_LOOKS } from '#web/shared/sports/sport-look.ts';
import { formatWeekdayTimeRange } from '#web/shared/time/format-weekday-time.ts';
import { useDeadline } from '#web/shared/time/use-deadline.ts';
import { buttonClasses } from '#web/shared/ui/controls/Button.tsx';
import { Tag } from '#web/shared/ui/controls/Tag.tsx';
import { Icon } from '#web/shared/ui/icons/Icon.tsx';
import { Section } from '../section/Section.tsx';
import { InvitePanel } from '../staff/InvitePanel.tsx';

/** Loaded again when the center has more referees, or fewer. */
function appealsQuery(id: string, referee_count: number) {
  return queryOptions({
    queryKey: ['center-management', id, 'appeals', referee_count],
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => call(listCenterAppeals, { params: { id } }, { signal }),
    refetchOnMount: 'always',
  });
}

interface AppealsSectionProps {
  id: string;
  /** Of the center's referees: one more means that an invite was used. */
  referee_count: number;
  onInvited: () => void;
}

/** Athletes who ask for another referee. Only a referee decides, by a scan of the athlete's code. */
export function AppealsSection({ id, referee_count, onInvited }: AppealsSectionProps) {
  const { t } = useTranslation('center-management');
  const query = useQuery(appealsQuery(id, referee_count));
  return (
    <Section title={t('appeals.title')} query={query}>
      {({ items }) => (
        <>
          <p className="text-ink-soft">{t(items.length === 0 ? 'appeals.none' : 'appeals.text')}</p>
          {items.length > 0 && (
            <ul className="flex flex-col gap-4">
              {items.map((appeal) => (
                <AppealRow key={appeal.client_id} appeal={appeal} />
              ))}
            </ul>
          )}
          {items.some(({ can_decide }) => can_decide) && (
            <Link href={PATHS.scan} className={buttonClasses('primary', 'sm', true)}>
              <Icon name="scan" size={22} />
              {t('appeals.scan')}
            </Link>
          )}
          {items.some(({ referees }) => referees.length === 0) && (
            <InvitePanel sport_center_id={id} kind="referee" count={referee_count} onInvited={onInvited} />
          )}
        </>
      )}
    </Section>
  );
}

function AppealRow({ appeal }: { appeal: CenterAppeal }) {
  const { t } = useTranslation(['center-management', 'shell']);
  const locale = useLocale();
  const personName = usePersonName();
  const { athlete, sport_type, started_at, ended_at, reason, open_until, referees, can_decide } = appeal;
  const time = useDeadline(Date.parse(open_until));
  const names = listFormat(locale, { type: 'disjunction' }).format(referees.map(({ name }) => isolate(name)));
  return (
    <li className="flex flex-col gap-1 wrap-anywhere">
      <span className="flex flex-wrap items-center gap-2">
        <bdi className="font-semibold">{personName(athlete)}</bdi>
        <Tag tone={SPORT_LOOKS[sport_type].tone} icon={SPORT_LOOKS[sport_type].icon}>
          {t(`shell:sport.${sport_type}`)}
        </Tag>
      </span>
      <span className="figures text-ink-soft">{formatWeekdayTimeRange(started_at, ended_at, locale)}</span>
      {reason && <span>{t('center-management:appeals.reason', { reason })}</span>}
      <span className="text-sm text-ink-soft">
        {can_decide && t('center-management:appeals.mine', { time })}
        {!can_decide && referees.length > 0 && t('center-management:appeals.others', { names, time })}
        {referees.length === 0 && t('center-management:appeals.noReferee', { time })}
      </span>
    </li>
  );
}
