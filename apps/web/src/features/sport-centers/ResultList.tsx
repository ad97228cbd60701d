import type { FoundSportCenter } from '@sendlap/contract/sport-centers.ts';
import { useTranslation } from 'react-i18next';
import { ApiError } from '#web/shared/api/errors.ts';
import { Button } from '#web/shared/ui/Button.tsx';
import { EmptyState } from '#web/shared/ui/EmptyState.tsx';
import { ErrorState } from '#web/shared/ui/ErrorState.tsx';
import { Skeleton } from '#web/shared/ui/Skeleton.tsx';
import { CenterRow } from './CenterRow.tsx';
import { changeFilters, changeRadius, changeWords, type SearchState } from './search-store.ts';
import type { useCenterSearch } from './use-center-search.ts';

interface ResultListProps {
  state: SearchState;
  result: ReturnType<typeof useCenterSearch>;
  /** Chosen on the map: it stands first. */
  selected: FoundSportCenter | null;
  onPoint: (center: FoundSportCenter) => void;
}

const SKELETON_ROWS = ['a', 'b', 'c', 'd', 'e', 'f'];

/** The places of the map as a list, in all its states. */
export function ResultList({ state, result, selected, onPoint }: ResultListProps) {
  const { t } = useTranslation('sport-centers');
  const { items, isPending, error, data, hasNextPage, isFetchingNextPage, fetchNextPage, refetch } = result;
  if (isPending) return <RowSkeletons />;
  if (error && !data) return <ListError error={error} onRetry={() => void refetch()} />;
  if (items.length === 0) return <Nothing state={state} q={result.q} />;
  const others = selected ? items.filter(({ id }) => id !== selected.id) : items;
  return (
    <div className="px-3 pb-4 wide:px-5">
      {selected && (
        <section aria-label={t('selected')} className="mb-1">
          <CenterRow center={selected} is_selected />
        </section>
      )}
      <ul aria-label={t('listLabel')} className="flex flex-col">
        {others.map((center) => (
          <li key={center.id} className="[contain-intrinsic-size:auto_72px] [content-visibility:auto]">
            <CenterRow center={center} onPoint={onPoint} />
          </li>
        ))}
      </ul>
      {hasNextPage && (
        <Button kind="quiet" size="sm" wide busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          {t('showMore')}
        </Button>
      )}
      <p className="px-2 pt-3 text-xs text-ink-faint">{t('attribution')}</p>
    </div>
  );
}

function RowSkeletons() {
  const { t } = useTranslation('shell');
  return (
    <div role="status" className="px-3 wide:px-5">
      <span className="sr-only">{t('loading')}</span>
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
    </div>
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

/** Says what to do so that something is found. */
function Nothing({ state, q }: { state: SearchState; q: string }) {
  const { t } = useTranslation('sport-centers');
  const isFiltered = state.sport !== null || state.open_to_all;
  if (q !== '') {
    return (
      <EmptyState
        icon="search"
        title={t('empty.queryTitle', { query: q })}
        text={t('empty.queryText')}
        action={
          <Button kind="secondary" size="sm" onClick={() => changeWords('')}>
            {t('search.clear')}
          </Button>
        }
      />
    );
  }
  return (
    <EmptyState
      icon="map-pin"
      title={t('empty.title')}
      text={t('empty.text')}
      action={
        <div className="flex flex-wrap justify-center gap-2">
          <Button kind="secondary" size="sm" onClick={() => changeRadius(null)}>
            {t('showNearest')}
          </Button>
          {isFiltered && (
            <Button kind="quiet" size="sm" onClick={() => changeFilters({ sport: null, open_to_all: false })}>
              {t('filters.clear')}
            </Button>
          )}
        </div>
      }
    />
  );
}
