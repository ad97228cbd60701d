import type { Person } from '@sendlap/contract/friends.ts';
import { useState } from 'react';
import { isUnreachable } from '#web/shared/api/errors.ts';
import { useIsSlow } from '#web/shared/copies/use-shown.ts';
import { useFriendRequests, useFriends } from '#web/shared/data/friends.ts';
import { useOnline } from '#web/shared/device/online.ts';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { useGoBack } from '#web/shared/navigation/use-go-back.ts';
import { PATHS } from '#web/shared/paths.ts';
import { Button } from '#web/shared/ui/controls/Button.tsx';
import { ErrorState } from '#web/shared/ui/feedback/ErrorState.tsx';
import { Loading } from '#web/shared/ui/feedback/Loading.tsx';
import { OfflineAge } from '#web/shared/ui/feedback/OfflineAge.tsx';
import { Skeleton } from '#web/shared/ui/feedback/Skeleton.tsx';
import { Screen } from '#web/shared/ui/Screen.tsx';
import { useRetainedFocus } from '#web/shared/ui/use-retained-focus.ts';
import { BlocksSheet } from './BlocksSheet.tsx';
import { FriendList } from './FriendList.tsx';
import { AddFriend } from './find/AddFriend.tsx';
import { MyCode } from './find/MyCode.tsx';
import { useFriendSearch } from './find/use-friend-search.ts';
import { PersonSheet } from './PersonSheet.tsx';
import { useFriendFromUrl } from './people/use-friend-from-url.ts';
import { useNewRequests } from './people/use-new-requests.ts';
import { Requests } from './Requests.tsx';

/** Friends, requests in both directions, and the ways to add more. `onMessage`: opens the chat with a friend. */
export function FriendsPage({ onMessage }: { onMessage: (friend_id: string) => void }) {
  const { t } = useTranslation('friends');
  const online = useOnline();
  const isOffline = (error: unknown) => !online && isUnreachable(error);
  const friends = useFriends();
  const requests = useFriendRequests();
  const [open, setOpen] = useState<Person | null>(null);
  const [blocks_open, setBlocksOpen] = useState(false);
  // Each block resets the search: a blocked user can't be found any longer.
  const [search_key, setSearchKey] = useState(0);
  const search = useFriendSearch();
  const outdated = [friends.outdated_at, requests.outdated_at].filter((at) => at !== null);
  useFriendFromUrl(setOpen);
  const lists = useRetainedFocus<HTMLDivElement>();
  // Requests are at the top: loaded after the rest, they would push it down.
  const is_waiting = !requests.data && !requests.isError;
  const is_slow = useIsSlow(is_waiting);
  const has_failed = !requests.data && requests.isError && !isOffline(requests.error);
  const has_answer = requests.data !== undefined && !requests.is_copy && requests.fetchStatus === 'idle';
  const incoming = useNewRequests(requests.data ?? [], has_failed ? 'failed' : has_answer ? 'read' : 'awaited');
  const goBack = useGoBack(PATHS.profile);
  if (is_waiting && !is_slow) {
    return (
      <Screen title={t('title')} onBack={goBack}>
        <FriendsSkeleton />
      </Screen>
    );
  }
  const showNew = () => {
    incoming.showNew();
    scrollTo({ top: 0 });
    lists.current?.focus({ preventScroll: true });
  };
  return (
    <Screen title={t('title')} onBack={goBack} actions={<NewRequests count={incoming.new_count} onShow={showNew} />}>
      <div ref={lists} tabIndex={-1} className="flex flex-col gap-4 outline-none">
        {outdated.length > 0 && <OfflineAge cached_at={Math.min(...outdated)} />}
        <div className="grid grid-cols-1 gap-5 wide:grid-cols-2 wide:grid-rows-[auto_1fr] wide:items-start">
          <div className="min-w-0 empty:hidden wide:order-2">
            {has_failed ? (
              <ErrorState
                title={t('failed.loadRequests')}
                error={requests.error}
                onRetry={() => void requests.refetch()}
              />
            ) : (
              <Requests direction="incoming" requests={incoming.shown} onOpen={setOpen} />
            )}
          </div>
          <div className="flex min-w-0 flex-col gap-5 wide:row-span-2">
            <AddFriend key={search_key} search={search} onMessage={onMessage} onOpen={setOpen} />
            <MyCode />
          </div>
          <div className="flex min-w-0 flex-col gap-5 wide:order-3">
            {/* The card of the search already shows the request to that user. */}
            <Requests
              direction="outgoing"
              requests={(requests.data ?? []).filter(({ user }) => user.id !== search.found?.id)}
              onOpen={setOpen}
            />
            <Friends friends={friends} onOpen={setOpen} onMessage={onMessage} />
            <Button kind="quiet" size="sm" wide onClick={() => setBlocksOpen(true)}>
              {t('blocks.open')}
            </Button>
          </div>
        </div>
      </div>
      {open && (
        <PersonSheet
          key={open.id}
          person={open}
          focusAfter={lists}
          onMessage={onMessage}
          onClose={() => setOpen(null)}
          onBlocked={() => {
            search.search(null);
            setSearchKey(search_key + 1);
          }}
        />
      )}
      {blocks_open && <BlocksSheet onClose={() => setBlocksOpen(false)} />}
    </Screen>
  );
}

/** In the title bar, where it moves nothing: also with large text, it is no higher than the other buttons there. */
function NewRequests({ count, onShow }: { count: number; onShow: () => void }) {
  const { t } = useTranslation('friends');
  return (
    <div role="status" className="contents">
      {count > 0 && (
        <Button kind="secondary" size="sm" className="-my-1" onClick={onShow}>
          {t('incoming.new', { count })}
        </Button>
      )}
    </div>
  );
}

interface FriendsProps {
  friends: ReturnType<typeof useFriends>;
  onOpen: (person: Person) => void;
  onMessage: (friend_id: string) => void;
}

function Friends({ friends, ...actions }: FriendsProps) {
  const { t } = useTranslation('friends');
  if (friends.data) return <FriendList friends={friends.data} {...actions} />;
  if (friends.isError) {
    return (
      <ErrorState
        title={t('failed.load')}
        error={friends.error}
        onRetry={() => void friends.refetch()}
        offline={{ title: t('offline.title'), text: t('offline.text') }}
      />
    );
  }
  return (
    <Loading className="flex flex-col gap-2">
      <Skeleton className="h-7 w-36" />
      <Skeleton className="h-42 rounded-lg" />
    </Loading>
  );
}

function FriendsSkeleton() {
  return (
    <Loading className="flex flex-col gap-5">
      <Skeleton className="h-48 rounded-lg" />
      <Skeleton className="h-20 rounded-lg" />
      <Skeleton className="h-42 rounded-lg" />
    </Loading>
  );
}
