import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useLocation } from 'wouter';
import { ApiError } from '#web/shared/api/errors.ts';
import { useUser } from '#web/shared/api/use-session.ts';
import { operatorRightQuery } from '#web/shared/data/operator-right.ts';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { PATHS } from '#web/shared/paths.ts';
import { Card } from '#web/shared/ui/Card.tsx';
import { Button } from '#web/shared/ui/controls/Button.tsx';
import { ErrorState } from '#web/shared/ui/feedback/ErrorState.tsx';
import { Loading } from '#web/shared/ui/feedback/Loading.tsx';
import { Skeleton } from '#web/shared/ui/feedback/Skeleton.tsx';
import { Screen } from '#web/shared/ui/Screen.tsx';
import { useRedeemInvite } from './queries.ts';
import { SetupSteps } from './SetupSteps.tsx';

/** Prints another set-up address. */
const INVITE_COMMAND = 'npm run sendlap -- operators invite';

/** Makes the user who opens a set-up address the operator, who then names the server, chooses its town and so on. */
export function SetupPage() {
  const { t } = useTranslation('setup');
  const [, navigate] = useLocation();
  return (
    <Screen title={t('title')} onBack={() => navigate(PATHS.dashboard)}>
      <div className="mx-auto flex w-full max-w-[560px] flex-col gap-4">
        <Content />
      </div>
    </Screen>
  );
}

function Content() {
  const { t } = useTranslation('setup');
  const user = useUser();
  const [code] = useState(() => location.hash.slice(1));
  const right = useQuery(operatorRightQuery(user.id));
  const { mutate: redeem, ...redemption } = useRedeemInvite(user.id);
  const needs_right = right.data?.is_operator === false && code !== '';
  useEffect(() => {
    if (needs_right) redeem(code);
  }, [needs_right, code, redeem]);
  const is_operator = right.data?.is_operator === true;
  useEffect(() => {
    // Used up: it would only mislead in the history and in shared addresses.
    if (is_operator && location.hash) history.replaceState(history.state, '', location.pathname);
  }, [is_operator]);

  if (is_operator) return <SetupSteps />;
  if (right.error) return <ErrorState title={t('failed')} error={right.error} onRetry={() => void right.refetch()} />;
  if (isRefusal(redemption.error)) return <NoRight title={t('refused.title')} text={t('refused.text')} />;
  if (redemption.error) return <ErrorState title={t('failed')} error={redemption.error} onRetry={() => redeem(code)} />;
  if (right.data && code === '') return <NoRight title={t('stranger.title')} text={t('stranger.text')} />;
  return (
    <Loading>
      <Skeleton className="h-44 rounded-lg" />
      <Skeleton className="mt-4 h-44 rounded-lg" />
    </Loading>
  );
}

/** The code is wrong, or cannot be used again. */
function isRefusal(error: Error | null): boolean {
  return error instanceof ApiError && error.status >= 400 && error.status < 500 && error.status !== 429;
}

function NoRight({ title, text }: { title: string; text: string }) {
  const { t } = useTranslation('setup');
  const [, navigate] = useLocation();
  return (
    <Card as="section" className="flex flex-col gap-3">
      <h2 className="text-lg font-bold">{title}</h2>
      <p>{text}</p>
      <code className="rounded-md bg-sunken px-3 py-2.5 text-[0.9375rem] wrap-anywhere select-all">
        {INVITE_COMMAND}
      </code>
      <Button wide onClick={() => navigate(PATHS.dashboard)}>
        {t('finish')}
      </Button>
    </Card>
  );
}
