import type { Activity, ActivityDetail } from '@sendlap/contract/activities.ts';
import { useQuery } from '@tanstack/react-query';
import { useUser } from '#web/shared/api/use-session.ts';
import { hasFailed, isShowable, outdatedAt, type Reach } from '#web/shared/copies/choose-shown.ts';
import { useReach, useShown } from '#web/shared/copies/use-shown.ts';
import { useLiveReady } from '#web/shared/live/use-live-ready.ts';
import { useOutbox } from '#web/shared/outbox/use-outbox.ts';
import { type ActivityView, findRunning, mergeActivities, mergeWithOutbox } from './activity-view.ts';
import {
  type ActivityCopies,
  detail_copies,
  getActivityCopyQuery,
  getActivityQuery,
  listActivitiesQuery,
  listActivityCopiesQuery,
} from './queries.ts';
import { isConfirmable } from './week.ts';

export interface Activities {
  /** Newest start first. */
  activities: ActivityView[];
  /** Nothing is loaded yet, not even from this device. */
  loading: boolean;
  /** Why no activities can be shown; null if they can. */
  error: unknown;
  /**
   * Set if there may be activities although `activities` is empty: this device has neither an answer of the server nor
   * a copy of one. `error`: why; null while an answer is awaited.
   */
  unread: { error: unknown } | null;
  /** Set if the server can't be reached: when this device's copy was fetched, ms epoch. null: up to date. */
  cached_at: number | null;
  retry: () => void;
}

const NONE: Activity[] = [];

/** The copies that may be shown until the server answers; null: none may. */
export function listShowable(copies: ActivityCopies | undefined, reach: Reach): Activity[] | null {
  return copies && isShowable(copies.cached_at ?? 0, reach, Date.now()) ? copies.items : null;
}

/** My newest activities by the server; the stream keeps them up to date. */
export function useNewestActivities(user_id: string) {
  return useQuery({ ...listActivitiesQuery(user_id), enabled: useLiveReady() });
}

/** All my activities that screens show: the server's newest merged with this device's own, without duplicates. */
export function useActivities(): Activities {
  const user = useUser();
  const outbox = useOutbox();
  const fresh = useNewestActivities(user.id);
  const copies = useQuery(listActivityCopiesQuery(user.id));
  const reach = useReach(fresh);
  const activities = mergeWithOutbox(outbox, fresh.data ?? listShowable(copies.data, reach) ?? NONE);
  const was_answered = fresh.data !== undefined || copies.data?.listed_none === true;
  const showable = activities.length > 0 || ((reach.is_cut || reach.is_slow) && copies.isSuccess);
  return {
    activities,
    loading: !outbox.loaded || (!showable && fresh.isPending),
    error: showable || !fresh.data ? (showable ? null : fresh.error) : null,
    unread: activities.length === 0 && !was_answered ? { error: fresh.error } : null,
    cached_at: outdatedAt(fresh.dataUpdatedAt || (copies.data?.cached_at ?? null), reach, Date.now()),
    retry: () => void fresh.refetch(),
  };
}

export interface ActivityLookup {
  /** null: no activity has this id, or it is not loaded yet (`loading`). */
  activity: ActivityView | null;
  loading: boolean;
  error: unknown;
  /** Set if the server can't be reached: when the activity was fetched, ms epoch. null: up to date. */
  cached_at: number | null;
  retry: () => void;
}

/** One of my activities by its client_id; null fetches nothing. */
export function useActivity(client_id: string | null): ActivityLookup {
  const user = useUser();
  const outbox = useOutbox();
  const list = useActivities();
  const isIt = (activity: { client_id: string }) => activity.client_id === client_id;
  const listed = list.activities.find(isIt) ?? null;
  const own = outbox.activities.filter(isIt);
  const wanted = client_id !== null && listed === null && !list.loading;
  const one = useQuery({ ...getActivityQuery(user.id, client_id ?? ''), enabled: wanted });
  const copy = useQuery({ ...getActivityCopyQuery(user.id, client_id ?? ''), enabled: wanted });
  const shown = useShown<Activity>(one, copy.data);
  const [single] = shown.data ? mergeActivities({ ...outbox, activities: own }, [shown.data]) : [];
  const activity = listed ?? (wanted ? (single ?? null) : null);
  // A copy of a deleted activity shows nothing.
  const is_known = activity !== null || shown.data !== undefined;
  return {
    activity,
    loading: !is_known && client_id !== null && (list.loading || one.isPending),
    error: is_known ? null : one.error,
    cached_at: listed ? list.cached_at : shown.outdated_at,
    retry: () => void one.refetch(),
  };
}

interface ActivityDetailState {
  /** null: not known here. */
  proofs: ActivityDetail['proofs'] | null;
  ledger: ActivityDetail['ledger'] | null;
  /** Set if the server can't be reached: when both were fetched, ms epoch. null: up to date. */
  cached_at: number | null;
  /** There may be proof attempts; false while those of a new decision are loaded. */
  is_on_server: boolean;
}

/** The proof attempts and ledger of an activity; this device's copy until they come. */
export function useActivityDetail({
  client_id,
  proof,
}: Pick<ActivityView, 'client_id' | 'proof'>): ActivityDetailState {
  const user = useUser();
  const enabled = proof !== 'saved';
  const query = useQuery({ ...getActivityQuery(user.id, client_id), enabled });
  const copy = useQuery({ ...detail_copies.query(user.id, client_id), enabled });
  const shown = useShown<Pick<ActivityDetail, 'proofs' | 'ledger'>>(query, copy.data);
  const { proofs = null, ledger = null } = shown.data ?? {};
  const is_decided = proof === 'validated' || proof === 'rejected';
  // Attempts from before the decision would say that there was none.
  const is_outdated = is_decided && !proofs?.some(({ outcome }) => outcome === 'in_force');
  const is_known = shown.data !== undefined || hasFailed(query);
  return {
    proofs: is_outdated ? null : proofs,
    ledger,
    cached_at: is_outdated ? null : shown.outdated_at,
    is_on_server: enabled && is_known && !(is_outdated && query.isFetching),
  };
}

/**
 * The activity whose code is shown: the requested one, else the latest that can be confirmed at `now` (ms epoch), else
 * the running one, else the latest unless it is validated (it was refused or is too old; the screen says why).
 */
export function useShownActivity(client_id: string | null, now: number): ActivityLookup {
  const list = useActivities();
  const requested = useActivity(client_id);
  if (client_id !== null) return requested;
  const { activities } = list;
  const [last] = activities;
  const activity =
    activities.find((candidate) => isConfirmable(candidate, now) && candidate.proof !== 'refused') ??
    findRunning(activities) ??
    (last && last.status !== 'validated' ? last : null);
  return { ...list, activity, loading: list.loading && !activity };
}

const MY_CENTERS = 8;

/** The centers of my last activities, latest first. */
export function useMyCenters(): { id: string; name: string }[] {
  const { activities } = useActivities();
  const names = new Map<string, string>();
  for (const { sport_center_id, sport_center_name } of activities) {
    if (!names.has(sport_center_id)) names.set(sport_center_id, sport_center_name);
  }
  return [...names].slice(0, MY_CENTERS).map(([id, name]) => ({ id, name }));
}
