import type { Sport } from '@sendlap/domain/sports.ts';
import { townName } from '#web/shared/data/town-names.ts';
import { useLanguage } from '#web/shared/i18n/use-language.ts';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { useRegionName } from '../filters/use-filter-names.ts';
import type { SearchState } from '../search/search-store.ts';

interface ListTitleOptions {
  search: SearchState;
  /** The sport that the typed text means. */
  sport: Sport | null;
  /** Not even the nearest center is near. */
  is_none_near: boolean;
}

/** Says which centers are listed; never "near" a place that has none. */
export function useListTitle({ search, sport, is_none_near }: ListTitleOptions): string {
  const { t } = useTranslation(['sport-centers', 'center-search', 'shell']);
  const language = useLanguage();
  const { origin, box } = search;
  const region = useRegionName(search);
  const query = search.q.trim();
  if (query !== '') return t('heading.query', { query });
  // A town's texts have the key `place`.
  const kind = box ? 'box' : origin.kind === 'town' ? 'place' : origin.kind;
  const place = origin.kind === 'town' ? (origin.town ? townName(origin.town, language) : origin.name) : '';
  if (region !== '' && kind !== 'box') return sport ? `${t(`shell:sport.${sport}`)} · ${region}` : region;
  if (is_none_near && kind !== 'box') return t(`center-search:noneNear.${kind}`, { place });
  if (sport) return t(`center-search:sportNear.${kind}`, { sport: t(`shell:sport.${sport}`), place });
  return kind === 'place' ? t('center-search:around', { place }) : t(`heading.${kind}`);
}
