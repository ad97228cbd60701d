import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useLocation, useParams } from 'wouter';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { sportCenterPath } from '#web/shared/paths.ts';
import { ErrorState } from '#web/shared/ui/feedback/ErrorState.tsx';
import { Loading } from '#web/shared/ui/feedback/Loading.tsx';
import { Skeleton } from '#web/shared/ui/feedback/Skeleton.tsx';
import { Screen } from '#web/shared/ui/Screen.tsx';
import { KiosksCard } from './KiosksCard.tsx';
import { centerNameQuery, staffQuery } from './queries.ts';
import { RefereesCard } from './RefereesCard.tsx';

/** Who confirms activities at one center: the operator pairs tablets and invites referees. */
export function CenterStaffPage() {
  const { t } = useTranslation('center-staff');
  const { id = '' } = useParams<{ id: string }>();
  const [, navigate] = useLocation();
  const { data: name } = useQuery(centerNameQuery(id));
  return (
    <Screen title={t('title')} onBack={() => navigate(sportCenterPath(id))}>
      <div className="mx-auto flex w-full max-w-[560px] flex-col gap-4">
        <p className="min-h-6 px-1 font-semibold text-ink-soft">{name}</p>
        <Staff key={id} id={id} />
      </div>
    </Screen>
  );
}

function Staff({ id }: { id: string }) {
  const { t } = useTranslation('center-staff');
  const [is_watching, setWatching] = useState(false);
  const { data: staff, error, refetch } = useQuery(staffQuery(id, is_watching));
  if (!staff && error) return <ErrorState title={t('failed')} error={error} onRetry={() => void refetch()} />;
  if (!staff)
    return (
      <Loading>
        <Skeleton className="h-44 rounded-lg" />
        <Skeleton className="mt-4 h-44 rounded-lg" />
      </Loading>
    );
  const onInvited = () => setWatching(true);
  return (
    <>
      <KiosksCard id={id} kiosks={staff.kiosks} onInvited={onInvited} />
      <RefereesCard id={id} referees={staff.referees} onInvited={onInvited} />
    </>
  );
}
