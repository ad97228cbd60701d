import type { Friend } from '@sendlap/contract/friends.ts';
import type { ChatPanelState } from '@sendlap/domain/chats/chat-panel.ts';
import { foldText } from '@sendlap/domain/names.ts';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useState } from 'react';
import { Link } from 'wouter';
import { useUser } from '#web/shared/api/use-session.ts';
import { useFriends } from '#web/shared/data/friends.ts';
import { useBackOnline } from '#web/shared/device/online.ts';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { PATHS } from '#web/shared/paths.ts';
import { Avatar } from '#web/shared/people/Avatar.tsx';
import { FRIEND_FILTER_THRESHOLD } from '#web/shared/people/friend-filter.ts';
import { chosenName } from '#web/shared/people/use-person-name.ts';
import { buttonClasses } from '#web/shared/ui/controls/Button.tsx';
import { Problem } from '#web/shared/ui/controls/Problem.tsx';
import { Spinner } from '#web/shared/ui/controls/Spinner.tsx';
import { EmptyState } from '#web/shared/ui/feedback/EmptyState.tsx';
import { ErrorState } from '#web/shared/ui/feedback/ErrorState.tsx';
import { OfflineAge } from '#web/shared/ui/feedback/OfflineAge.tsx';
import { getOrCreateChat } from '../data/list-queries.ts';
import { PanelHeader } from '../panel-parts/PanelHeader.tsx';
import { useProblemText } from '../panel-parts/problem-text.ts';
import { useFailureText } from '../panel-parts/use-failure-text.ts';
import { useParticipantName } from '../panel-parts/use-participant-name.ts';
import { panel } from '../panel-state/panel.ts';
import { RowSkeletons } from './RowSkeletons.tsx';

/** The friends to write to; the chat opens once the server has returned it. */
export function FriendPicker({ state }: { state: ChatPanelState }) {
  const { t } = useTranslation('chats');
  const { starting, problem } = state;
  const problemText = useProblemText();
  const failureText = useFailureText();
  const { data, outdated_at, error, refetch } = useFriends();
  const failure = useStartChat(starting);
  return (
    <>
      <PanelHeader back title={t('selectFriend')} />
      <div className="flex min-h-0 flex-1 flex-col overflow-y-auto overscroll-contain">
        <div className="flex flex-col gap-3 px-3 pt-3 empty:hidden">
          {outdated_at !== null && <OfflineAge cached_at={outdated_at} />}
          {problem && <Problem>{problemText(problem)}</Problem>}
          {failure !== null && starting === null && (
            <Problem>
              <strong className="block">{t('failed.start')}</strong>
              {failureText(failure, 'start') !== t('failed.start') && failureText(failure, 'start')}
            </Problem>
          )}
        </div>
        {data ? (
          <Friends friends={data} starting={starting} />
        ) : error ? (
          <ErrorState title={t('picker.error')} error={error} onRetry={() => void refetch()} />
        ) : (
          <RowSkeletons />
        )}
      </div>
    </>
  );
}

/** Starts the chat that the panel waits for, once per request; returns why the last one failed to start. */
function useStartChat(starting: string | null): unknown {
  const { id: user_id } = useUser();
  const queries = useQueryClient();
  const [failure, setFailure] = useState<unknown>(null);
  useBackOnline(() => setFailure(null));
  const begin = useEffectEvent(async (friend_id: string) => {
    setFailure(null);
    try {
      const chat = await getOrCreateChat(queries, user_id, friend_id);
      if (isStillAwaited(friend_id)) panel.dispatch({ type: 'open_chat', chat });
    } catch (error) {
      setFailure(error);
      if (isStillAwaited(friend_id)) panel.dispatch({ type: 'start_failed' });
    }
  });
  useEffect(() => {
    if (starting !== null) void begin(starting);
  }, [starting]);
  return failure;
}

/**
 * Whether the visible picker still waits for this friend's chat: the user may have gone back or picked another friend.
 * The result is ignored while the panel is minimized; restoring the panel sends the request again.
 */
function isStillAwaited(friend_id: string): boolean {
  const { starting, minimized } = panel.getState();
  return starting === friend_id && !minimized;
}

function Friends({ friends, starting }: { friends: Friend[]; starting: string | null }) {
  const { t } = useTranslation('chats');
  const nameOf = useParticipantName();
  const [filter, setFilter] = useState('');
  if (friends.length === 0)
    return (
      <EmptyState
        icon="user"
        title={t('picker.emptyTitle')}
        text={t('picker.emptyText')}
        action={
          <Link
            href={PATHS.friends}
            onClick={() => panel.dispatch({ type: 'close' })}
            className={buttonClasses('secondary', 'sm')}
          >
            {t('picker.toFriends')}
          </Link>
        }
      />
    );
  const named = friends.map((friend) => ({
    ...friend,
    name: nameOf({ id: friend.friend_id, name: friend.friend_name }),
  }));
  const shown = named.filter(({ name }) => foldText(name).includes(foldText(filter)));
  return (
    <>
      {friends.length > FRIEND_FILTER_THRESHOLD && (
        <input
          type="search"
          value={filter}
          onChange={(event) => setFilter(event.target.value)}
          aria-label={t('picker.filter')}
          placeholder={t('picker.filter')}
          className="mx-3 mt-3 min-h-12 rounded-md bg-sunken px-4 placeholder:text-ink-faint"
        />
      )}
      {shown.length === 0 && <p className="p-6 text-center text-ink-soft">{t('picker.noMatch')}</p>}
      <ul className="flex flex-col gap-1 p-2">
        {shown.map(({ id, friend_id, friend_name, name, friend_public_id }) => (
          <li key={id}>
            <button
              type="button"
              aria-busy={starting === friend_id || undefined}
              onClick={() => panel.dispatch({ type: 'start_chat', friend_id })}
              className="pressable flex w-full items-center gap-3 rounded-lg px-2 py-2.5 text-left hover:bg-sunken"
            >
              <Avatar name={chosenName(friend_name)} />
              <span className="flex min-w-0 flex-1 flex-col">
                <bdi className="truncate font-semibold">{name}</bdi>
                <span className="wrap-break-word text-label text-ink-soft">{friend_public_id}</span>
              </span>
              {starting === friend_id && <Spinner />}
            </button>
          </li>
        ))}
      </ul>
    </>
  );
}
