import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useLocation } from 'wouter';
import { useUser } from '#web/shared/api/use-session.ts';
import { operatorRightQuery } from '#web/shared/data/operator-right.ts';
import { useFragment } from '#web/shared/device/fragment.ts';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { PATHS } from '#web/shared/paths.ts';
import { ErrorState } from '#web/shared/ui/feedback/ErrorState.tsx';
import { Loading } from '#web/shared/ui/feedback/Loading.tsx';
import { Skeleton } from '#web/shared/ui/feedback/Skeleton.tsx';
import { Screen } from '#web/shared/ui/Screen.tsx';
import { useRetainedFocus } from '#web/shared/ui/use-retained-focus.ts';
import { NoRight } from './NoRight.tsx';
import { RedeemCard } from './RedeemCard.tsx';
import { SetupSteps } from './SetupSteps.tsx';

interface SetupPageProps {
  /** Signs out, so that another account can become the operator. */
  onSwitchAccount: () => Promise<void>;
}

/** Makes the user who opens a set-up address the operator, who then names the server, chooses its town and so on. */
export function SetupPage({ onSwitchAccount }: SetupPageProps) {
  const { t } = useTranslation('setup');
  const [, navigate] = useLocation();
  return (
    <Screen title={t('title')} onBack={() => navigate(PATHS.dashboard)}>
      <Content onSwitchAccount={onSwitchAccount} />
    </Screen>
  );
}

function Content({ onSwitchAccount }: SetupPageProps) {
  const { t } = useTranslation('setup');
  const code = useFragment();
  const { data: right, error, refetch } = useQuery(operatorRightQuery(useUser().id));
  const content = useRetainedFocus<HTMLDivElement>();
  const is_operator = right?.is_operator === true;
  useEffect(() => {
    // Used up: it would only mislead in the history and in shared addresses.
    if (is_operator && code) history.replaceState(history.state, '', location.pathname);
  }, [is_operator, code]);
  return (
    <div ref={content} tabIndex={-1} className="mx-auto flex w-full max-w-[560px] flex-col gap-4 outline-none">
      {is_operator ? (
        <SetupSteps />
      ) : right && code ? (
        <RedeemCard key={code} code={code} onSwitchAccount={onSwitchAccount} />
      ) : right ? (
        <NoRight title={t('notOperator.title')} text={t('notOperator.text')} />
      ) : error ? (
        <ErrorState
          title={t('failed')}
          error={error}
          onRetry={() => void refetch()}
          offline={{ title: t('offline.title'), text: t('offline.text') }}
        />
      ) : (
        <Loading>
          <Skeleton className="h-44 rounded-lg" />
          <Skeleton className="mt-4 h-44 rounded-lg" />
        </Loading>
      )}
    </div>
  );
}
