import { getRecap, Recap } from '@sendlap/contract/stats.ts';
import { isoWeekAt, seasonKey } from '@sendlap/domain/dates.ts';
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { call } from '#web/shared/api/client.ts';
import { useUser } from '#web/shared/api/use-session.ts';
import { createCopies } from '#web/shared/copies/copies.ts';
import { useShown } from '#web/shared/copies/use-shown.ts';
import { useLiveRefetch } from '#web/shared/live/use-live-refetch.ts';
import { useServerNow } from '#web/shared/time/use-now.ts';
import { isCurrentWeek } from '../use-dashboard.ts';

const ALL = ['recap'];
const copies = createCopies('recap', Recap);

/** The recap, also copied to this device. Refetched whenever the screen is opened. */
function getRecapQuery(user_id: string) {
  return queryOptions({
    queryKey: [...ALL, user_id],
    async queryFn({ signal }) {
      const recap = await call(getRecap, {}, { signal });
      copies.save(user_id, recap);
      return recap;
    },
    refetchOnMount: 'always',
  });
}

interface RecapState {
  /** null: not loaded yet, or failed (`error`). */
  recap: Recap | null;
  /** Why the recap can't be shown; null if it can. */
  error: unknown;
  /** Set if the server can't be reached: when this device's copy was fetched, ms epoch. null: up to date. */
  cached_at: number | null;
  retry: () => void;
}

/** The recap, updated while the screen is mounted; without the periods that ended since it was read. */
export function useRecap(): RecapState {
  const user = useUser();
  const queries = useQueryClient();
  const query = useQuery(getRecapQuery(user.id));
  const now = useServerNow();
  const { data, outdated_at } = useShown(query, useQuery(copies.query(user.id)).data);
  useLiveRefetch(
    ({ type }) => type === 'activity_changed',
    () => void queries.invalidateQueries({ queryKey: ALL }),
  );
  return {
    recap: data ? withoutEndedPeriods(data, now) : null,
    error: data ? null : query.error,
    cached_at: outdated_at,
    retry: () => void query.refetch(),
  };
}

/**
 * Leaves out the last week if a new week has begun since the server answered, and the season if a new one has: an old
 * answer does not know what came after it. `now`: ms epoch by the server's clock; weeks are in the server's time zone.
 */
export function withoutEndedPeriods(recap: Recap, now: number): Recap {
  const { week } = recap;
  if (isCurrentWeek(week, now)) return recap;
  const season = seasonKey(week.key) === seasonKey(isoWeekAt(now, week.time_zone)) ? recap.season : null;
  return { ...recap, last_week: null, season };
}
