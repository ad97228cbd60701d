import { listPresentUsers, type PresentUser } from '@sendlap/contract/locations.ts';
import { type QueryClient, queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { call } from '#web/shared/api/client.ts';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { useLiveRefetch } from '#web/shared/live/use-live-refetch.ts';
import { usePersonName } from '#web/shared/people/use-person-name.ts';
import { Card } from '#web/shared/ui/Card.tsx';
import { Icon } from '#web/shared/ui/icons/Icon.tsx';

/** How long a reply counts as fresh: friends come and go. */
const STALE_MS = 60_000;

const presentKey = (user_id: string) => ['locations', user_id, 'present'];

/** Friends who are at a center and share it with the user. Not cached: who was there an hour ago is of no interest. */
function listPresentUsersQuery(user_id: string, sport_center_id: string) {
  return queryOptions({
    queryKey: [...presentKey(user_id), sport_center_id],
    queryFn: ({ signal }) =>
      call(listPresentUsers, { body: { sport_center_ids: [sport_center_id] } }, { signal, expected_user_id: user_id }),
    staleTime: STALE_MS,
    refetchInterval: STALE_MS,
    gcTime: STALE_MS,
    retry: false,
  });
}

/** A friend came or left: reloads the lists on the screen, also one whose first load is still running. */
function refetchPresentUsers(queries: QueryClient, user_id: string): void {
  void queries.invalidateQueries({ queryKey: presentKey(user_id) });
}

interface FriendsHereProps {
  user_id: string;
  sport_center_id: string;
}

/**
 * Names of the user's friends who train here now. Renders nothing without such friends or if the list can't be loaded.
 */
export function FriendsHere({ user_id, sport_center_id }: FriendsHereProps) {
  const { t } = useTranslation('locations');
  const queries = useQueryClient();
  const { data, isError } = useQuery(listPresentUsersQuery(user_id, sport_center_id));
  useLiveRefetch(
    (event) => event.type === 'presence_changed' && event.sport_center_ids.includes(sport_center_id),
    () => refetchPresentUsers(queries, user_id),
  );
  const friends = isError ? [] : (data ?? []).filter((friend) => friend.sport_center_id === sport_center_id);
  if (friends.length === 0) return null;
  return (
    <Card as="section" tone="accent">
      <h2 className="flex items-center gap-2 font-semibold text-accent-ink">
        <Icon name="user" size={22} />
        {t('friendsHere')}
      </h2>
      <ul className="mt-2.5 flex flex-wrap gap-2">
        {friends.map((friend) => (
          <Friend key={friend.id} friend={friend} />
        ))}
      </ul>
    </Card>
  );
}

function Friend({ friend: { name, is_nearby } }: { friend: PresentUser }) {
  const { t } = useTranslation('locations');
  const personName = usePersonName();
  return (
    <li className="rounded-full bg-surface px-3.5 py-1.5 text-label font-medium">
      <bdi>{personName(name)}</bdi>
      {!is_nearby && <span className="font-normal text-ink-soft"> · {t('closeBy')}</span>}
    </li>
  );
}
