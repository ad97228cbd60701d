import { SPORTS } from '@sendlap/domain/sports.ts';
import { KM_PER_MILE, type Units } from '@sendlap/domain/units.ts';
import { use } from 'react';
import { Link } from 'wouter';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { PATHS } from '#web/shared/paths.ts';
import { SPORT_LOOKS } from '#web/shared/sports/sport-look.ts';
import { Chip } from '#web/shared/ui/controls/Chip.tsx';
import { iconButtonClasses } from '#web/shared/ui/controls/IconButton.tsx';
import { Icon } from '#web/shared/ui/icons/Icon.tsx';
import { ListLayout } from '#web/shared/ui/list-layout.ts';
import { TitleBarEnd } from '#web/shared/ui/title-bar-end.ts';
import { useUnits } from '#web/shared/units/chosen-units.ts';
import { useMeasures } from '#web/shared/units/use-measures.ts';
import { SearchField, type SearchFieldProps } from '../search/SearchField.tsx';
import { changeFilters, changeRadius, changeRegion, keepSearch, type SearchState } from '../search/search-store.ts';
import type { Region } from '../search/search-url.ts';
import type { CenterSearchResult } from '../search/use-center-search.ts';
import { optionValue, useFilterOptions } from './filter-options.ts';
import { SelectChip } from './SelectChip.tsx';

/** In the unit of distances. */
const RADII = { km: [2, 5, 10, 25, 50, 100], mi: [1, 3, 5, 15, 30, 60] };
const KM_PER_UNIT = { km: 1, mi: KM_PER_MILE };

interface SearchFiltersProps extends SearchFieldProps {
  /** Another search than `state` if the text means a sport or a town. */
  search: SearchState;
  result: CenterSearchResult;
}

/**
 * The search: text, sports, radius, country, city, access. Also the sync chip, as the map has no title bar, or beside a
 * center, which has one, the way to the map.
 */
export function SearchFilters({ state, search, result, towns, onTyping }: SearchFiltersProps) {
  const { t } = useTranslation(['sport-centers', 'shell']);
  const { sport, open_to_all } = search;

  /** A filter changes the search that the text means. */
  function change(apply: () => void): void {
    if (search !== state) keepSearch(search);
    apply();
  }

  return (
    <search className="flex flex-col gap-2">
      <div data-compact="" className="mx-3 flex items-center wide:mx-5">
        <SearchField state={state} towns={towns} onTyping={onTyping} />
        {use(ListLayout) === 'beside' ? (
          <MapLink />
        ) : (
          <div className="flex shrink-0 items-center rounded-full bg-page empty:hidden max-wide:ml-2 max-wide:pl-1 has-[button]:ml-2 has-[button]:pl-1">
            {use(TitleBarEnd)}
          </div>
        )}
      </div>
      {/* On a phone that lies on its side, rows of chips would leave no room for the list. */}
      <fieldset className="flex min-w-0 gap-2 overflow-x-auto px-3 py-1 [scrollbar-width:none] wide:px-5 wide:[@media(min-height:600px)]:flex-wrap">
        <legend className="sr-only">{t('filters.label')}</legend>
        {SPORTS.map((name) => (
          <Chip
            key={name}
            selected={sport === name}
            icon={SPORT_LOOKS[name].icon}
            tone={SPORT_LOOKS[name].tone}
            className="shadow-low"
            onClick={() => change(() => changeFilters({ sport: sport === name ? null : name }))}
          >
            {t(`shell:sport.${name}`)}
          </Chip>
        ))}
        <RadiusChip search={search} onRadius={(km) => change(() => changeRadius(km))} />
        <RegionChips search={search} result={result} onRegion={(region) => change(() => changeRegion(region))} />
        <Chip
          selected={open_to_all}
          className="shadow-low"
          onClick={() => change(() => changeFilters({ open_to_all: !open_to_all }))}
        >
          {t('filters.openToAll')}
        </Chip>
      </fieldset>
    </search>
  );
}

/** Leads from a center to the map. */
function MapLink() {
  const { t } = useTranslation('sport-centers');
  const label = t('showMap');
  return (
    <Link href={PATHS.sportCenters} aria-label={label} title={label} className={`${iconButtonClasses('plain')} ml-1`}>
      <Icon name="map" />
    </Link>
  );
}

function RadiusChip({ search, onRadius }: { search: SearchState; onRadius: (radius_km: number | null) => void }) {
  const { radius_km, box } = search;
  const { t } = useTranslation('sport-centers');
  const measures = useMeasures();
  const { distance: unit } = useUnits();
  const chosen_km = box === null ? radius_km : null;
  return (
    <SelectChip
      label={t('filters.distance')}
      any_label={t('filters.anyDistance')}
      value={chosen_km === null ? '' : String(chosen_km)}
      shown={chosen_km === null ? undefined : measures.distance(chosen_km)}
      options={radiusOptions(chosen_km, unit).map((km) => ({
        value: String(km),
        name: t('filters.within', { distance: measures.distance(km) }),
      }))}
      onPick={(value) => onRadius(value === '' ? null : Number(value))}
    />
  );
}

interface RegionChipsProps {
  search: SearchState;
  result: CenterSearchResult;
  onRegion: (region: Region) => void;
}

function RegionChips({ search, result, onRegion }: RegionChipsProps) {
  const { country, city } = search;
  const { t } = useTranslation('sport-centers');
  const { countries, cities } = useFilterOptions(search, result);
  return (
    <>
      <SelectChip
        label={t('filters.country')}
        any_label={t('filters.anyCountry')}
        value={country ?? ''}
        options={countries}
        // The city may be in another country.
        onPick={(value) => onRegion({ country: value || null, city: value === '' ? city : null })}
      />
      <SelectChip
        label={t('filters.city')}
        any_label={t('filters.anyCity')}
        value={optionValue(cities, city)}
        options={cities}
        onPick={(value) => onRegion({ country, city: value || null })}
      />
    </>
  );
}

/** The default radii in km, plus the radius of a picked town. */
function radiusOptions(radius_km: number | null, unit: Units['distance']): number[] {
  const radii = RADII[unit].map((radius) => radius * KM_PER_UNIT[unit]);
  return radius_km === null || radii.includes(radius_km) ? radii : [...radii, radius_km].sort((a, b) => a - b);
}
