import type { ServerOverview } from '@sendlap/contract/server-management/overview.ts';
import { useQuery } from '@tanstack/react-query';
import { townName } from '#web/shared/data/town-names.ts';
import { formatBytes } from '#web/shared/i18n/format-bytes.ts';
import { numberFormat } from '#web/shared/i18n/formats.ts';
import { useLanguage, useLocale } from '#web/shared/i18n/use-language.ts';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { PATHS } from '#web/shared/paths.ts';
import { formatAge } from '#web/shared/time/format-age.ts';
import { useServerNow } from '#web/shared/time/use-now.ts';
import { Card } from '#web/shared/ui/Card.tsx';
import { CountBubble } from '#web/shared/ui/controls/CountBubble.tsx';
import { LinkRow } from '#web/shared/ui/controls/LinkRow.tsx';
import { LoadingOrError } from './LoadingOrError.tsx';
import { overviewQuery, profileQuery } from './queries.ts';
import { ServerManagementScreen } from './ServerManagementScreen.tsx';

/** How the server is, what waits for its operators, and the way to each of their screens. */
export function OverviewPage() {
  const { t } = useTranslation('server-management');
  const { data: overview, error, refetch } = useQuery(overviewQuery);
  return (
    <ServerManagementScreen title={t('title')} back={PATHS.profile}>
      {overview ? (
        <>
          <ServerName />
          <Links overview={overview} />
          <Week counts={overview.counts} />
          <Health overview={overview} />
        </>
      ) : (
        <LoadingOrError error={error} onRetry={() => void refetch()} />
      )}
    </ServerManagementScreen>
  );
}

function ServerName() {
  const language = useLanguage();
  const { data: profile } = useQuery(profileQuery);
  return (
    <p className="min-h-7 px-1 text-lg wrap-anywhere">
      {profile && (
        <>
          <span className="font-bold">{profile.name ?? 'Sendlap'}</span>
          {profile.town && <span className="text-ink-soft"> · {townName(profile.town, language)}</span>}
        </>
      )}
    </p>
  );
}

function Links({ overview: { counts } }: { overview: ServerOverview }) {
  const { t } = useTranslation('server-management');
  const { people, open_reports, open_reviews, open_claims } = counts;
  return (
    <nav aria-label={t('title')} className="flex flex-col gap-2">
      <Row path={PATHS.reports} icon="flag" title={t('reports.title')} count={open_reports}>
        {t('reports.open', { count: open_reports })}
      </Row>
      <Row path={PATHS.reviews} icon="eye" title={t('reviews.title')} count={open_reviews}>
        {t('reviews.open', { count: open_reviews })}
      </Row>
      <Row path={PATHS.claims} icon="shield" title={t('claims.title')} count={open_claims}>
        {t('claims.open', { count: open_claims })}
      </Row>
      <Row path={PATHS.people} icon="user" title={t('people.title')}>
        {t('people.count', { count: people })}
      </Row>
      <Row path={PATHS.staffedCenters} icon="map-pin" title={t('centers.title')}>
        {t('centers.count', { count: counts.centers, staffed: counts.staffed_centers })}
      </Row>
      <Row path={PATHS.setup} icon="edit" title={t('settings.title')}>
        {t('settings.text')}
      </Row>
      <Row path={PATHS.audit} icon="list" title={t('audit.title')}>
        {t('audit.text')}
      </Row>
    </nav>
  );
}

interface RowProps {
  path: string;
  icon: Parameters<typeof LinkRow>[0]['icon'];
  title: string;
  /** What waits. */
  count?: number;
  children: string;
}

function Row({ path, icon, title, count = 0, children }: RowProps) {
  return (
    <LinkRow href={path} icon={icon} title={title} text={children} className="bg-surface">
      {count > 0 && <CountBubble count={count} />}
    </LinkRow>
  );
}

function Week({ counts: { activities, new_people } }: Pick<ServerOverview, 'counts'>) {
  const { t } = useTranslation('server-management');
  const number = numberFormat(useLocale());
  return (
    <Card as="section">
      <h2 className="text-lg font-bold">{t('week.title')}</h2>
      <dl className="mt-3 grid grid-cols-[repeat(auto-fit,minmax(7rem,1fr))] gap-3">
        {(
          [
            ['activities', activities],
            ['newPeople', new_people],
          ] as const
        ).map(([key, value]) => (
          <div key={key} className="flex flex-col-reverse justify-end">
            <dt className="text-sm text-ink-soft">{t(`week.${key}`, { count: value })}</dt>
            <dd className="figures text-2xl font-bold">{number.format(value)}</dd>
          </div>
        ))}
      </dl>
    </Card>
  );
}

/** The age and size of the latest backup that the server made by itself. */
function LastBackup({ backups }: Pick<ServerOverview, 'backups'>) {
  const { t } = useTranslation('server-management');
  const locale = useLocale();
  const now = useServerNow();
  if (!backups) return t('health.off');
  const { made_at, bytes, has_failed } = backups;
  const age = made_at === null ? null : formatAge(Date.parse(made_at), now, locale);
  if (has_failed) return age === null ? t('health.backupFailedNone') : t('health.backupFailed', { age });
  return age === null ? t('health.backupNone') : t('health.backupText', { age, size: formatBytes(bytes ?? 0, locale) });
}

/** What the server knows of itself; the database works, because it answered. */
function Health({ overview }: { overview: ServerOverview }) {
  const { t } = useTranslation('server-management');
  const locale = useLocale();
  const { data: profile } = useQuery(profileQuery);
  const { disk, database_bytes, push_devices, running_loads } = overview;
  const onOff = (is_on: boolean) => (is_on ? t('health.on') : t('health.off'));
  const free = disk && {
    free: formatBytes(disk.free_bytes, locale),
    total: formatBytes(disk.total_bytes, locale),
  };
  const facts = [
    [t('health.database'), t('health.databaseText', { size: formatBytes(database_bytes, locale) })],
    [t('health.disk'), free ? t('health.diskText', free) : t('health.unknown')],
    [t('health.backup'), <LastBackup key="backup" backups={overview.backups} />],
    [t('health.streets'), profile ? onOff(profile.has_streets) : '…'],
    [t('health.mail'), onOff(overview.has_mail)],
    [t('health.push'), t('health.pushText', { count: push_devices })],
    [t('health.loads'), t('health.loadsText', { count: running_loads })],
    [t('health.version'), overview.version],
  ] as const;
  return (
    <Card as="section">
      <h2 className="text-lg font-bold">{t('health.title')}</h2>
      <dl className="mt-2 flex flex-col">
        {facts.map(([name, value]) => (
          <div key={name} className="flex flex-wrap justify-between gap-x-4 py-1.5">
            <dt className="text-ink-soft">{name}</dt>
            <dd className="figures ml-auto text-right font-medium">{value}</dd>
          </div>
        ))}
      </dl>
    </Card>
  );
}
