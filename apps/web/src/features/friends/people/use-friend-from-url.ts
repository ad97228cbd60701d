import type { Person } from '@sendlap/contract/friends.ts';
import { useEffect, useEffectEvent } from 'react';
import { useLocation, useSearch } from 'wouter';
import { useFriends } from '#web/shared/data/friends.ts';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { FRIEND_PARAM, PATHS } from '#web/shared/paths.ts';
import { toast } from '#web/shared/ui/feedback/toast.ts';

/**
 * Opens the profile card of the friend that the address names, once the list of friends has that friend, and says it if
 * the list has not: the link may be older than the end of a friendship or than a new public id.
 */
export function useFriendFromUrl(onOpen: (person: Person) => void): void {
  const { t } = useTranslation('friends');
  const [, navigate] = useLocation();
  const public_id = new URLSearchParams(useSearch()).get(FRIEND_PARAM);
  const { data, is_copy, isError, isFetching } = useFriends();
  const friend = data?.find(({ friend_public_id }) => friend_public_id === public_id) ?? null;
  const is_final = data !== undefined && !isFetching && (!is_copy || isError);
  const is_answered = public_id !== null && (friend !== null || is_final);
  const answer = useEffectEvent(() => {
    if (friend) onOpen({ id: friend.friend_id, name: friend.friend_name, public_id: friend.friend_public_id });
    else toast({ title: t('list.notFound', { id: public_id ?? '' }) });
    // Replaced, so that Back leads to the screen with the link, and a reload does not open the card again.
    navigate(PATHS.friends, { replace: true });
  });
  useEffect(() => {
    if (is_answered) answer();
  }, [is_answered]);
}
