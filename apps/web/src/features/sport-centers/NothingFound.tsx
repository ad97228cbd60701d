import { useOnline } from '#web/shared/device/online.ts';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { Button } from '#web/shared/ui/Button.tsx';
import { EmptyState } from '#web/shared/ui/EmptyState.tsx';
import { changeFilters, changeRadius, clearSearch, type SearchState } from './search-store.ts';

/** Nothing was found, and what to do so that something is. */
export function NothingFound({ state }: { state: SearchState }) {
  const { t } = useTranslation(['sport-centers', 'center-search']);
  const online = useOnline();
  const query = state.q.trim();
  const isFiltered = state.sport !== null || state.open_to_all;
  const clearFilters = isFiltered && (
    <Button kind="quiet" size="sm" onClick={() => changeFilters({ sport: null, open_to_all: false })}>
      {t('filters.clear')}
    </Button>
  );
  const widen = query === '' ? () => changeRadius(null) : clearSearch;
  return (
    <EmptyState
      icon={query === '' ? 'map-pin' : 'search'}
      title={query === '' ? t('empty.title') : t('empty.queryTitle', { query })}
      text={textOf(query, online)}
      action={
        <div className="flex flex-wrap justify-center gap-2">
          <Button kind="secondary" size="sm" onClick={widen}>
            {query === '' ? t('showNearest') : t('search.clear')}
          </Button>
          {clearFilters}
        </div>
      }
    />
  );

  /** Without a network the copies are all that was looked through. */
  function textOf(words: string, is_online: boolean): string {
    if (!is_online) return t('center-search:emptyOffline');
    return words === '' ? t('empty.text') : t('empty.queryText');
  }
}
