import { useQuery } from '@tanstack/react-query';
import { useUser } from '#web/shared/api/use-session.ts';
import { useShown } from '#web/shared/copies/use-shown.ts';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { useGoBack } from '#web/shared/navigation/use-go-back.ts';
import { PATHS } from '#web/shared/paths.ts';
import { Card } from '#web/shared/ui/Card.tsx';
import { ErrorState } from '#web/shared/ui/feedback/ErrorState.tsx';
import { Loading } from '#web/shared/ui/feedback/Loading.tsx';
import { OfflineAge } from '#web/shared/ui/feedback/OfflineAge.tsx';
import { Skeleton } from '#web/shared/ui/feedback/Skeleton.tsx';
import { Screen } from '#web/shared/ui/Screen.tsx';
import { useRetainedFocus } from '#web/shared/ui/use-retained-focus.ts';
import { DeviceRow } from './DeviceRow.tsx';
import { listSessionsQuery, session_copies } from './queries.ts';
import { SignOutEverywhere } from './SignOutEverywhere.tsx';

/** All sessions of the user, each with a button to end it. */
export function DevicesPage() {
  const { t } = useTranslation('users');
  const user = useUser();
  return (
    <Screen title={t('devices.title')} onBack={useGoBack(PATHS.profile)}>
      <div className="mx-auto flex w-full max-w-[560px] flex-col gap-4">
        <DeviceList user_id={user.id} />
      </div>
    </Screen>
  );
}

function DeviceList({ user_id }: { user_id: string }) {
  const { t } = useTranslation('users');
  const sessions = useQuery(listSessionsQuery(user_id));
  const list = useRetainedFocus<HTMLUListElement>();
  const { data: items, outdated_at } = useShown(sessions, useQuery(session_copies.query(user_id)).data);
  if (!items) {
    if (sessions.isPending)
      return (
        <Loading className="flex flex-col gap-4">
          <Skeleton className="h-42 rounded-lg" />
          <Skeleton className="h-14 rounded-lg" />
        </Loading>
      );
    return (
      <ErrorState
        title={t('devices.failed')}
        error={sessions.error}
        onRetry={() => void sessions.refetch()}
        offline={{ title: t('devices.offlineTitle'), text: t('devices.offlineText') }}
      />
    );
  }
  return (
    <>
      {outdated_at !== null && <OfflineAge cached_at={outdated_at} />}
      <Card className="p-0!">
        <ul ref={list} tabIndex={-1} className="outline-none">
          {items.map((session) => (
            <DeviceRow key={session.id} user_id={user_id} session={session} />
          ))}
        </ul>
      </Card>
      <SignOutEverywhere user_id={user_id} />
    </>
  );
}
