import { Link } from 'wouter';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { useGoBack } from '#web/shared/navigation/use-go-back.ts';
import { PATHS } from '#web/shared/paths.ts';
import { Button, buttonClasses } from '#web/shared/ui/controls/Button.tsx';
import { EmptyState } from '#web/shared/ui/feedback/EmptyState.tsx';
import { ErrorState } from '#web/shared/ui/feedback/ErrorState.tsx';
import { Loading } from '#web/shared/ui/feedback/Loading.tsx';
import { OfflineAge } from '#web/shared/ui/feedback/OfflineAge.tsx';
import { Skeleton } from '#web/shared/ui/feedback/Skeleton.tsx';
import { Icon } from '#web/shared/ui/icons/Icon.tsx';
import { Screen } from '#web/shared/ui/Screen.tsx';
import { DecisionRow, LocalDecisionRow } from './DecisionRow.tsx';
import { IncomingAppeals } from './IncomingAppeals.tsx';
import { useDecisions } from './use-decisions.ts';

/** The user's decisions: confirmed, rejected, waiting, and those that can still be withdrawn. */
export function DecisionsPage() {
  const { t } = useTranslation('qr');
  return (
    <Screen title={t('decisions.title')} onBack={useGoBack(PATHS.dashboard)}>
      <div className="mx-auto flex w-full max-w-[560px] flex-1 flex-col gap-4">
        <IncomingAppeals />
        <Decisions />
      </div>
    </Screen>
  );
}

function Decisions() {
  const { t } = useTranslation('qr');
  const { decisions_query, listed, local_only, outdated_at } = useDecisions();

  if (!listed && decisions_query.isPending) {
    return (
      <Loading className="flex flex-col gap-3">
        <Skeleton className="h-32 rounded-lg" />
        <Skeleton className="h-32 rounded-lg" />
        <Skeleton className="h-32 rounded-lg" />
      </Loading>
    );
  }
  if (!listed && local_only.length === 0) {
    return (
      <ErrorState
        title={t('decisions.failed')}
        error={decisions_query.error}
        onRetry={() => void decisions_query.refetch()}
        offline={{ title: t('decisions.offlineTitle'), text: t('decisions.offlineText') }}
      />
    );
  }
  if (listed?.length === 0 && local_only.length === 0) {
    const action = (
      <Link href={PATHS.scan} className={buttonClasses('primary', 'md')}>
        <Icon name="scan" size={22} />
        {t('scan.title')}
      </Link>
    );
    return (
      <EmptyState icon="shield" title={t('decisions.none.title')} text={t('decisions.none.text')} action={action} />
    );
  }
  return (
    <>
      {outdated_at !== null && <OfflineAge cached_at={outdated_at} />}
      <ul className="flex flex-col gap-3">
        {local_only.map((decision) => (
          <LocalDecisionRow key={decision.op.op_id} decision={decision} />
        ))}
        {listed?.map((decision) => (
          <DecisionRow key={decision.op_id} decision={decision} />
        ))}
      </ul>
      {decisions_query.hasNextPage && (
        <Button
          kind="secondary"
          wide
          busy={decisions_query.isFetchingNextPage}
          onClick={() => void decisions_query.fetchNextPage()}
        >
          {t('decisions.more')}
        </Button>
      )}
    </>
  );
}
