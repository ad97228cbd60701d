import { useTranslation } from 'react-i18next';
import { Icon } from '#web/shared/ui/Icon.tsx';
import { formatAge } from './format-age.ts';
import type { SearchState } from './search-store.ts';
import type { useCenterSearch } from './use-center-search.ts';

interface ListHeadingProps {
  state: SearchState;
  result: ReturnType<typeof useCenterSearch>;
}

/** Which centers these are, how many, and how old where there is no network. */
export function ListHeading({ state, result }: ListHeadingProps) {
  const { t, i18n } = useTranslation('sport-centers');
  const { cached_at, data } = result;
  return (
    <div className="px-5 pb-2 wide:pt-4">
      <h2 className="text-xl font-bold tracking-tight">{useTitle(state, result.q)}</h2>
      <div aria-live="polite" className="mt-0.5 min-h-5.5 text-[15px] text-ink-soft">
        {data && <Summary state={state} result={result} />}
        {data && cached_at !== null && (
          <span className="mt-0.5 flex items-center gap-1.5">
            <Icon name="offline" size={18} />
            {t('offline', { age: formatAge(cached_at, Date.now(), i18n.language) })}
          </span>
        )}
      </div>
      {state.open_to_all && <p className="mt-1 text-sm text-ink-faint">{t('filters.openToAllNote')}</p>}
    </div>
  );
}

function useTitle({ origin, box }: SearchState, q: string): string {
  const { t } = useTranslation('sport-centers');
  if (q !== '') return t('heading.query', { query: q });
  if (box) return t('heading.box');
  return origin.kind === 'place' ? t('heading.place', { place: origin.name }) : t(`heading.${origin.kind}`);
}

function Summary({ state, result }: ListHeadingProps) {
  const { t, i18n } = useTranslation('sport-centers');
  const { items, total, q } = result;
  const number = new Intl.NumberFormat(i18n.language);
  const isEverywhere = result.cached_at === null && q === '' && !state.box && state.radius_km === null;
  const count = t('count', { count: total, formatted: number.format(total) });
  if (isEverywhere) return `${count}, ${t('nearestFirst')}`;
  if (items.length < total) return `${count} · ${t('nearestShown', { shown: number.format(items.length) })}`;
  return count;
}
