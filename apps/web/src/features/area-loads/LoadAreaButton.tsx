import {
  type AreaLoad,
  cancelAreaLoad,
  getAreaLoad,
  isUnfinished,
  requestAreaLoad,
} from '@sendlap/contract/area-loads.ts';
import type { Position } from '@sendlap/domain/geo.ts';
import { skipToken, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { call } from '#web/shared/api/client.ts';
import { useSearchAgain } from '#web/shared/data/loaded-centers.ts';
import { useErrorText } from '#web/shared/i18n/use-error-text.ts';
import { useLocale } from '#web/shared/i18n/use-language.ts';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { formatClock } from '#web/shared/time/format-clock.ts';
import { Button } from '#web/shared/ui/controls/Button.tsx';
import { NetworkButton } from '#web/shared/ui/controls/NetworkButton.tsx';
import { Problem } from '#web/shared/ui/controls/Problem.tsx';
import { Spinner } from '#web/shared/ui/controls/Spinner.tsx';

const POLL_MS = 1_000;
const CACHE_MS = 10 * 60_000;

/** A town or an area on the screen. */
export interface LoadableArea extends Position {
  /** Of a town: `geonames:…`. */
  id: string;
  radius_km: number;
}

/** Loads the sport centers of the area on the screen from OpenStreetMap, with progress and result. */
export function LoadAreaButton({ area }: { area: LoadableArea }) {
  const { t } = useTranslation('area-loads');
  const errorText = useErrorText();
  const { load, was_done, request, cancel, error } = useAreaLoad(area);
  const problem = request.error ?? cancel.error ?? error;
  const is_unfinished = load !== undefined && isUnfinished(load);
  return (
    <div className="flex w-full flex-col items-center gap-2 text-center">
      {problem && <Problem>{errorText(problem)}</Problem>}
      {load && <LoadStatus load={load} was_done={was_done} />}
      {is_unfinished && load.can_cancel && load.status !== 'saving' && (
        <Button kind="quiet" size="sm" busy={cancel.isPending} onClick={() => cancel.mutate(load.id)}>
          {t('cancel')}
        </Button>
      )}
      {!is_unfinished && load?.status !== 'done' && (
        <NetworkButton
          kind="secondary"
          size="sm"
          icon="download"
          busy={request.isPending}
          onClick={() => request.mutate()}
        >
          {t('load')}
        </NetworkButton>
      )}
    </div>
  );
}

/** `was_done`: the load was done already when it was requested, so that no new centers will appear. */
function LoadStatus({ load: { status, retry_at, report }, was_done }: { load: AreaLoad; was_done: boolean }) {
  const { t } = useTranslation('area-loads');
  const locale = useLocale();
  if (status === 'failed') return <Problem>{t('failed')}</Problem>;
  if (status === 'cancelled') return <p role="status">{t('cancelled')}</p>;
  if (status === 'done') {
    const count = was_done ? 0 : (report?.imported ?? 0);
    const known = (report?.unchanged ?? 0) + (report?.updated ?? 0) + (report?.merged ?? 0) + (report?.imported ?? 0);
    return <p role="status">{count > 0 || known > 0 ? t('done', { count }) : t('none')}</p>;
  }
  const time = retry_at && formatClock(Date.parse(retry_at), locale);
  return (
    <p role="status" className="flex items-center gap-3">
      <Spinner />
      {time ? t('busy', { time }) : t(status)}
    </p>
  );
}

/** Requests the area's load, follows it, and searches again when it has ended. */
function useAreaLoad({ id, latitude, longitude, radius_km }: LoadableArea) {
  const queries = useQueryClient();
  // In the cache: once the list has centers, this component is mounted at its other end.
  const key = ['area-load-of', id];
  const { data: requested } = useQuery<AreaLoad>({ queryKey: key, queryFn: skipToken, gcTime: CACHE_MS });
  const load_id = requested?.id;
  const { data, error } = useQuery({
    queryKey: ['area-load', load_id],
    queryFn:
      load_id === undefined ? skipToken : ({ signal }) => call(getAreaLoad, { params: { id: load_id } }, { signal }),
    refetchInterval: ({ state }) => (state.data && !isUnfinished(state.data) ? false : POLL_MS),
  });
  const store = (load: AreaLoad) => queries.setQueryData(['area-load', load.id], load);
  const request = useMutation({
    mutationFn: () =>
      call(requestAreaLoad, {
        body: id.startsWith('geonames:') ? { town_id: id } : { latitude, longitude, radius_km },
      }),
    onSuccess(load) {
      store(load);
      queries.setQueryData(key, load);
    },
  });
  const cancel = useMutation({
    mutationFn: (cancelled_id: string) => call(cancelAreaLoad, { params: { id: cancelled_id } }),
    onSuccess: store,
  });
  const load = data ?? requested;
  useSearchAgain(load?.status === 'done');
  return { load, was_done: requested?.status === 'done', request, cancel, error };
}
