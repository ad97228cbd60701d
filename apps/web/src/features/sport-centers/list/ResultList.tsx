import type { FoundSportCenter } from '@sendlap/contract/sport-centers.ts';
import type { ReactNode } from 'react';
import { ApiError } from '#web/shared/api/errors.ts';
import { useOnline } from '#web/shared/device/online.ts';
import { listFormat } from '#web/shared/i18n/formats.ts';
import { useLocale } from '#web/shared/i18n/use-language.ts';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { Button } from '#web/shared/ui/controls/Button.tsx';
import { Problem } from '#web/shared/ui/controls/Problem.tsx';
import { EmptyState } from '#web/shared/ui/feedback/EmptyState.tsx';
import { ErrorState } from '#web/shared/ui/feedback/ErrorState.tsx';
import { Loading } from '#web/shared/ui/feedback/Loading.tsx';
import { Skeleton } from '#web/shared/ui/feedback/Skeleton.tsx';
import { useMeasures } from '#web/shared/units/use-measures.ts';
import { useFilterNames } from '../filters/use-filter-names.ts';
import { clearSearch, keepSearch, type SearchState, toQueryString } from '../search/search-store.ts';
import { hasRegion } from '../search/search-url.ts';
import type { CenterSearchResult } from '../search/use-center-search.ts';
import { useVisibleRows } from '../search/use-visible-rows.ts';
import { CenterRow } from './CenterRow.tsx';

interface ResultListProps {
  state: SearchState;
  result: CenterSearchResult;
  /** Chosen on the map: it is listed first. */
  selected: FoundSportCenter | null;
  onHighlight: (center: FoundSportCenter) => void;
  /** The centers that the typed text names: they are listed before the towns that it may mean. */
  named: readonly FoundSportCenter[];
  towns: ReactNode;
  /** Loads the area's centers from elsewhere; below the list, and where nothing was found. */
  load_action?: ReactNode;
}

const SKELETON_ROWS = ['a', 'b', 'c', 'd', 'e', 'f'];

/** The centers of the map as a list, in all its states. */
export function ResultList(props: ResultListProps) {
  const { named, towns } = props;
  return (
    <>
      {named.length > 0 ? <NamedCenters {...props} /> : towns}
      <Results {...props} />
    </>
  );
}

function Results(props: ResultListProps) {
  const { state, load_action } = props;
  const { items, is_pending, is_searching, error, retry } = props.result;
  if (is_pending) return <RowSkeletons />;
  if (error) return <ListError error={error} onRetry={retry} />;
  if (items.length === 0)
    return is_searching ? <RowSkeletons /> : <NothingFound state={state} load_action={load_action} />;
  return <Rows {...props} />;
}

function NamedCenters({ named, selected, towns, onHighlight }: ResultListProps) {
  const { t } = useTranslation('center-search');
  return (
    <>
      <ul aria-label={t('named')} className="flex flex-col px-3 wide:px-5">
        {named.map((center) => (
          <li key={center.id}>
            <CenterRow center={center} is_selected={center.id === selected?.id} onHighlight={onHighlight} />
          </li>
        ))}
      </ul>
      {towns}
    </>
  );
}

function Rows({ state, result, selected: chosen, named, onHighlight, load_action }: ResultListProps) {
  const { t } = useTranslation(['sport-centers', 'center-search']);
  const { distance } = useMeasures();
  const { items, has_more, is_loading_more, has_load_more_failed, is_searching } = result;
  const selected = named.some(({ id }) => id === chosen?.id) ? null : chosen;
  const shown_above = new Set([...named, ...(selected ? [selected] : [])].map(({ id }) => id));
  const others = shown_above.size > 0 ? items.filter(({ id }) => !shown_above.has(id)) : items;
  const loadMore = has_more && !is_loading_more && !has_load_more_failed ? result.loadMore : null;
  const rows = useVisibleRows(toQueryString(state), others.length, loadMore);
  const canShowMore = has_more || rows.count < others.length;
  // The heading says so: what could help comes before the far ones.
  const is_none_near = result.far_nearest !== null;
  return (
    // Lets the end of the list scroll clear of the chat button.
    <div className="px-3 pb-22 wide:px-5 wide:pb-4">
      {load_action && is_none_near && <div className="mb-2">{load_action}</div>}
      {selected && (
        <section aria-label={t('selected')} className="mb-1">
          <CenterRow center={selected} is_selected />
        </section>
      )}
      {(others.length > 0 || named.length === 0) && (
        <ul aria-label={t('listLabel')} aria-busy={is_searching} className="flex flex-col">
          {others.slice(0, rows.count).map((center) => (
            <li key={center.id} className="[contain-intrinsic-size:auto_72px] [content-visibility:auto]">
              <CenterRow center={center} onHighlight={onHighlight} />
            </li>
          ))}
        </ul>
      )}
      {has_load_more_failed && <Problem>{t('center-search:moreFailed')}</Problem>}
      {canShowMore && (
        <div ref={rows.end}>
          <Button
            kind="quiet"
            size="sm"
            wide
            busy={is_loading_more}
            onClick={has_load_more_failed ? result.loadMore : rows.showMore}
          >
            {t('showMore')}
          </Button>
        </div>
      )}
      {result.far && !canShowMore && (
        <Button kind="quiet" size="sm" wide onClick={result.far.show}>
          {t('center-search:showFar', { distance: distance(result.far.limit_km) })}
        </Button>
      )}
      {load_action && !is_none_near && !canShowMore && (
        <section className="mt-3 flex flex-col items-center gap-2">
          <p className="text-ink-soft">{t('missing')}</p>
          {load_action}
        </section>
      )}
      <p className="px-2 pt-3 text-xs text-ink-faint">{t('attribution')}</p>
    </div>
  );
}

function RowSkeletons() {
  return (
    <Loading className="px-3 wide:px-5">
      {SKELETON_ROWS.map((row) => (
        <div key={row} className="flex min-h-18 items-center gap-3.5 px-2 py-2">
          <Skeleton className="size-12" />
          <div className="flex-1">
            <Skeleton className="h-5 w-3/5 rounded-sm" />
            <Skeleton className="mt-2 h-4 w-2/5 rounded-sm" />
          </div>
          <Skeleton className="h-4 w-12 rounded-sm" />
        </div>
      ))}
    </Loading>
  );
}

function ListError({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  const { t } = useTranslation(['sport-centers', 'shell']);
  const isOffline = error instanceof ApiError && error.status === 0;
  if (!isOffline) return <ErrorState title={t('error.list')} error={error} onRetry={onRetry} />;
  const retry = (
    <Button kind="secondary" size="sm" icon="sync" onClick={onRetry}>
      {t('shell:retry')}
    </Button>
  );
  return <EmptyState icon="offline" title={t('error.offlineTitle')} text={t('error.offlineText')} action={retry} />;
}

/** An empty result: the filters that are on, with actions that widen the search. */
function NothingFound({ state, load_action }: Pick<ResultListProps, 'state' | 'load_action'>) {
  const { t } = useTranslation(['sport-centers', 'center-search']);
  const online = useOnline();
  const locale = useLocale();
  const names = useFilterNames(state);
  const query = state.q.trim();
  const has_filter = state.sport !== null || state.open_to_all || hasRegion(state);
  const filters = listFormat(locale).format(names);
  const shown_filters = has_filter ? t('empty.filters', { filters }) : '';
  const hint = shown_filters || t(query === '' ? 'empty.text' : 'empty.queryText');
  const title = t(has_filter ? 'empty.filteredTitle' : 'empty.title');
  // A country and a city are searched everywhere: the nearest have been looked through.
  const can_widen = query !== '' || !hasRegion(state) || state.radius_km !== null || state.box !== null;
  const widen = query === '' ? () => keepSearch({ ...state, radius_km: null, box: null }) : clearSearch;
  const clearFilters = () =>
    keepSearch({ ...state, sport: null, open_to_all: false, country: null, city: null, radius_km: null });
  return (
    <EmptyState
      icon={query === '' ? 'map-pin' : 'search'}
      title={query === '' ? title : t('empty.queryTitle', { query })}
      // Offline, only the cached centers were searched.
      text={online ? hint : `${shown_filters} ${t('center-search:emptyOffline')}`.trim()}
      action={
        <div className="flex flex-wrap justify-center gap-2">
          {can_widen && (
            <Button kind="secondary" size="sm" onClick={widen}>
              {query === '' ? t('showNearest') : t('search.clear')}
            </Button>
          )}
          {has_filter && (
            <Button kind={can_widen ? 'quiet' : 'secondary'} size="sm" onClick={clearFilters}>
              {t('filters.clear')}
            </Button>
          )}
          {load_action}
        </div>
      }
    />
  );
}
