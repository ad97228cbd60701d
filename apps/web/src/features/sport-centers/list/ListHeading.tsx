import type { ReactNode } from 'react';
import { numberFormat } from '#web/shared/i18n/formats.ts';
import { useLocale } from '#web/shared/i18n/use-language.ts';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { formatAge } from '#web/shared/time/format-age.ts';
import { useNow } from '#web/shared/time/use-now.ts';
import { Button } from '#web/shared/ui/controls/Button.tsx';
import { Spinner } from '#web/shared/ui/controls/Spinner.tsx';
import { Icon } from '#web/shared/ui/icons/Icon.tsx';
import { type SearchState, searchAsWords } from '../search/search-store.ts';
import type { UnderstoodText } from '../search/understood-search.ts';
import type { CenterSearchResult } from '../search/use-center-search.ts';
import { NearestNote } from './NearestNote.tsx';
import { useListTitle } from './use-list-title.ts';

interface ListHeadingProps {
  /** The text in the field. */
  typed: string;
  search: SearchState;
  /** The meaning of the text: `search` is for that. */
  understood: UnderstoodText | null;
  result: CenterSearchResult;
  /** An action for the town or area on the map. */
  action?: ReactNode;
}

/** Which centers are listed, how many, and how old the list is without the server. */
export function ListHeading({ typed, search, understood, result, action }: ListHeadingProps) {
  const { t } = useTranslation(['sport-centers', 'center-search']);
  const { items, cached_at, is_pending, is_searching, error } = result;
  const isAnswered = !is_searching && error === null;
  const nearest = isAnswered ? result.far_nearest : null;
  const title = useListTitle({ search, sport: understood?.sport ?? null, is_none_near: nearest !== null });
  return (
    <div className="px-5 pb-2 wide:pt-4">
      {/* Text flows around the button: long names and ages get the full width below it. */}
      {action && <div className="float-right ml-3">{action}</div>}
      <h2 className="text-xl font-bold tracking-tight wrap-break-word">{title}</h2>
      <div className="mt-0.5 min-h-5.5 text-label text-ink-soft">
        {/* The request is still running and cached results are shown: hide the count, which would flicker. */}
        {is_searching && !is_pending && (
          <span className="flex items-center gap-2">
            <Spinner size={16} />
            {t('center-search:searching')}
          </span>
        )}
        <div aria-live="polite">
          {isAnswered && !(nearest && search.q === '') && <Summary search={search} result={result} />}
          {isAnswered && result.is_similar && <p>{t('center-search:similar')}</p>}
          {nearest && <NearestNote center={nearest} total={result.total} />}
          {cached_at !== null && items.length > 0 && <Age cached_at={cached_at} is_silent={!isAnswered} />}
        </div>
      </div>
      {understood && (
        <Button kind="quiet" size="sm" className="-ml-4 text-left" onClick={searchAsWords}>
          {t('center-search:asWords', { query: typed })}
        </Button>
      )}
      {search.open_to_all && <p className="clear-both pt-1 text-sm text-ink-faint">{t('filters.openToAllNote')}</p>}
    </div>
  );
}

function Age({ cached_at, is_silent }: { cached_at: number; is_silent: boolean }) {
  const { t } = useTranslation(['sport-centers', 'shell']);
  const locale = useLocale();
  const now = useNow(Date.now);
  return (
    <span className="mt-0.5 block">
      <Icon name="offline" size={18} className="mr-1.5 inline-block align-text-bottom" />
      {t(is_silent ? 'shell:unansweredAge' : 'offline', { age: formatAge(cached_at, now, locale) })}
    </span>
  );
}

function Summary({ search, result }: Pick<ListHeadingProps, 'search' | 'result'>) {
  const { t } = useTranslation('sport-centers');
  const { items, total, total_is_lower_bound } = result;
  const number = numberFormat(useLocale());
  const isEverywhere = search.q.trim() === '' && !search.box && search.radius_km === null;
  const count = t('count', { count: total, formatted: `${number.format(total)}${total_is_lower_bound ? '+' : ''}` });
  if (isEverywhere) return `${count}, ${t('nearestFirst')}`;
  if (items.length < total) return `${count} · ${t('nearestShown', { shown: number.format(items.length) })}`;
  return count;
}
