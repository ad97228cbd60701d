import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useUser } from '#web/shared/api/use-session.ts';
import { operatorRightQuery } from '#web/shared/data/operator-right.ts';
import { useFragment } from '#web/shared/device/fragment.ts';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { useGoBack } from '#web/shared/navigation/use-go-back.ts';
import { PATHS } from '#web/shared/paths.ts';
import { OnlineContent } from '#web/shared/ui/feedback/OnlineContent.tsx';
import { Screen } from '#web/shared/ui/Screen.tsx';
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
  return (
    <Screen title={t('title')} onBack={useGoBack(PATHS.dashboard)}>
      <Content onSwitchAccount={onSwitchAccount} />
    </Screen>
  );
}

function Content({ onSwitchAccount }: SetupPageProps) {
  const { t } = useTranslation('setup');
  const code = useFragment();
  const query = useQuery(operatorRightQuery(useUser().id));
  const { data: right } = query;
  const is_operator = right?.is_operator === true;
  useEffect(() => {
    // Used up: it would only mislead in the history and in shared addresses.
    if (is_operator && code) history.replaceState(history.state, '', location.pathname);
  }, [is_operator, code]);
  return (
    <OnlineContent title={t('failed')} query={query} offline={{ title: t('offline.title'), text: t('offline.text') }}>
      {is_operator ? (
        <SetupSteps />
      ) : right && code ? (
        <RedeemCard key={code} code={code} onSwitchAccount={onSwitchAccount} />
      ) : right ? (
        <NoRight title={t('notOperator.title')} text={t('notOperator.text')} />
      ) : null}
    </OnlineContent>
  );
}
