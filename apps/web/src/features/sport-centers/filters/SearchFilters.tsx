import { SPORTS } from '@sendlap/domain/sports.ts';
import { use } from 'react';
import { useLanguage } from '#web/shared/i18n/use-language.ts';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { SPORT_LOOKS } from '#web/shared/sports/sport-look.ts';
import { classes } from '#web/shared/ui/classes.ts';
import { Chip } from '#web/shared/ui/controls/Chip.tsx';
import { Icon } from '#web/shared/ui/icons/Icon.tsx';
import { TitleBarEnd } from '#web/shared/ui/title-bar-end.ts';
import { formatDistance } from '../search/format-distance.ts';
import { SearchField, type SearchFieldProps } from '../search/SearchField.tsx';
import { changeFilters, changeRadius, keepSearch, type SearchState } from '../search/search-store.ts';

const RADII_KM = [2, 5, 10, 25, 50, 100];

interface SearchFiltersProps extends SearchFieldProps {
  /** Another search than `state` if the text means a sport or a town. */
  search: SearchState;
}

/** The search: text, sports, access, radius; and the sync chip, as the map has no title bar. */
export function SearchFilters({ state, search, towns, onTyping }: SearchFiltersProps) {
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
        <div className="shrink-0 rounded-full bg-page has-[button]:ml-2 has-[button]:pl-1">{use(TitleBarEnd)}</div>
      </div>
      <fieldset className="flex min-w-0 gap-2 overflow-x-auto px-3 py-1 [scrollbar-width:none] wide:flex-wrap wide:px-5">
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

/** The device's native picker styled as a chip: usable with one thumb, large options, accessible. */
function RadiusChip({ search, onRadius }: { search: SearchState; onRadius: (radius_km: number | null) => void }) {
  const { radius_km, box } = search;
  const { t } = useTranslation('sport-centers');
  const language = useLanguage();
  const isOn = radius_km !== null && box === null;
  const name = (km: number) => t('filters.within', { distance: formatDistance(km, language) });
  return (
    <label
      className={classes(
        'pressable relative inline-flex h-10 shrink-0 items-center gap-1 rounded-full pr-3 pl-4 text-[0.9375rem] font-medium',
        'whitespace-nowrap shadow-low before:absolute before:-inset-1 has-focus-visible:outline-3 has-focus-visible:outline-accent',
        isOn ? 'bg-accent text-on-accent' : 'bg-surface text-ink-soft',
      )}
    >
      <span aria-hidden="true">{isOn ? formatDistance(radius_km, language) : t('filters.distance')}</span>
      <Icon name="chevron-down" size={16} />
      <select
        aria-label={t('filters.distance')}
        value={isOn ? radius_km : ''}
        onChange={({ target }) => onRadius(target.value === '' ? null : Number(target.value))}
        className="absolute -inset-1 cursor-pointer appearance-none bg-raised text-ink opacity-0"
      >
        <option value="">{t('filters.anyDistance')}</option>
        {radiusOptions(isOn ? radius_km : null).map((km) => (
          <option key={km} value={km}>
            {name(km)}
          </option>
        ))}
      </select>
    </label>
  );
}

/** The default radii, plus the radius of a picked town. */
function radiusOptions(radius_km: number | null): number[] {
  return radius_km === null || RADII_KM.includes(radius_km) ? RADII_KM : [...RADII_KM, radius_km].sort((a, b) => a - b);
}
