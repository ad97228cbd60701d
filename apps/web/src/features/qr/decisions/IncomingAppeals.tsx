import type { Appeal } from '@sendlap/contract/referees.ts';
import { Link } from 'wouter';
import { useUser } from '#web/shared/api/use-session.ts';
import { useRefereeRights } from '#web/shared/data/referee-rights.ts';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { PATHS } from '#web/shared/paths.ts';
import { useDeadline } from '#web/shared/time/use-deadline.ts';
import { Button, buttonClasses } from '#web/shared/ui/controls/Button.tsx';
import { OfflineAge } from '#web/shared/ui/feedback/OfflineAge.tsx';
import { Icon } from '#web/shared/ui/icons/Icon.tsx';
import { AthleteActivityRow, RowText } from './AthleteActivityRow.tsx';
import { useOpenAppeals } from './use-open-appeals.ts';

/**
 * Athletes whom another referee rejected and who now appeal to this user; renders nothing if the user is not a referee.
 */
export function IncomingAppeals() {
  const { t } = useTranslation(['qr', 'shell']);
  const { rights } = useRefereeRights(useUser().id);
  const { appeals_query, appeals, open_appeals, outdated_at } = useOpenAppeals();
  if (open_appeals.length === 0 && !rights?.length) return null;
  return (
    <section aria-labelledby="asked" className="flex flex-col gap-3">
      <h2 id="asked" className="font-semibold">
        {t(appeals && open_appeals.length === 0 ? 'asked.noneTitle' : 'asked.title')}
      </h2>
      {outdated_at !== null && <OfflineAge cached_at={outdated_at} />}
      {!appeals && appeals_query.isError && (
        <div className="flex flex-wrap items-center justify-between gap-2">
          <p className="text-label text-ink-soft">{t('asked.failed')}</p>
          <Button kind="secondary" size="sm" onClick={() => void appeals_query.refetch()}>
            {t('shell:retry')}
          </Button>
        </div>
      )}
      {appeals && open_appeals.length === 0 && <p className="text-label text-ink-soft">{t('asked.none')}</p>}
      {open_appeals.length > 0 && (
        <>
          <ul className="flex flex-col gap-3">
            {open_appeals.map((appeal) => (
              <AppealRow key={appeal.client_id} appeal={appeal} />
            ))}
          </ul>
          <Link href={PATHS.scan} className={buttonClasses('secondary', 'md', true)}>
            <Icon name="scan" size={22} />
            {t('scan.title')}
          </Link>
        </>
      )}
    </section>
  );
}

function AppealRow({ appeal }: { appeal: Appeal }) {
  const { t } = useTranslation('qr');
  const time = useDeadline(Date.parse(appeal.open_until));
  return (
    <AthleteActivityRow activity={appeal} tag={null}>
      {appeal.reason && <p className="mt-2 [overflow-wrap:anywhere]">{t('asked.reason', { reason: appeal.reason })}</p>}
      <RowText>{t('asked.showCode', { time })}</RowText>
    </AthleteActivityRow>
  );
}
