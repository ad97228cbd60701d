import type { FoundSportCenter } from '@sendlap/contract/sport-centers.ts';
import { SPORTS, type Sport } from '@sendlap/domain/sports.ts';
import { use } from 'react';
import { Link, useLocation } from 'wouter';
import { listFormat } from '#web/shared/i18n/formats.ts';
import { useLanguage } from '#web/shared/i18n/use-language.ts';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { sportCenterPath } from '#web/shared/paths.ts';
import { SPORT_LOOKS } from '#web/shared/sports/sport-look.ts';
import { classes } from '#web/shared/ui/classes.ts';
import { Icon } from '#web/shared/ui/icons/Icon.tsx';
import { ListLayout } from '#web/shared/ui/list-layout.ts';
import { useMeasures } from '#web/shared/units/use-measures.ts';
import { fixAllCaps } from '../search/fix-all-caps.ts';

interface CenterRowProps {
  center: FoundSportCenter;
  /** Chosen on the map. */
  is_selected?: boolean;
  onHighlight?: (center: FoundSportCenter) => void;
}

/** A row of the list: name, address, distance. The whole row is the link. Marked: the center beside it, else the pin's. */
export function CenterRow({ center, is_selected = false, onHighlight }: CenterRowProps) {
  const { t } = useTranslation(['sport-centers', 'shell']);
  const language = useLanguage();
  const measures = useMeasures();
  const is_beside = use(ListLayout) === 'beside';
  const [path] = useLocation();
  const own_path = sportCenterPath(center.id);
  const current = path === own_path ? 'page' : is_selected && !is_beside;
  const types = center.sport_facilities.map(({ type }) => type);
  const sport = listSports(types.length > 0 ? types : [SPORTS[0]], (name) => t(`shell:sport.${name}`), language);
  const distance = center.distance_km === null ? null : measures.distance(center.distance_km);
  return (
    <Link
      href={own_path}
      // One Back leads from the last one chosen to the map.
      replace={is_beside}
      aria-current={current || undefined}
      onPointerEnter={(event) => event.pointerType === 'mouse' && onHighlight?.(center)}
      onFocus={() => onHighlight?.(center)}
      className={classes(
        'pressable @container block rounded-md focus-visible:-outline-offset-3',
        current ? 'bg-accent-tint' : 'hover:bg-sunken',
      )}
    >
      <span className="flex min-h-18 items-center gap-x-3.5 gap-y-1 px-2 py-2 @max-3xs:flex-wrap">
        <SportTile types={types} />
        <span className="min-w-0 flex-1 wrap-break-word @max-3xs:order-last @max-3xs:basis-full">
          <span className="block leading-snug font-semibold">{center.name}</span>
          <span className="mt-0.5 block text-label text-ink-faint">
            <span className="sr-only">{sport}. </span>
            {formatLocation(center) ?? sport}
          </span>
        </span>
        {distance && (
          <span className="figures shrink-0 self-start pt-0.5 text-label text-ink-soft @max-3xs:ml-auto">
            <span className="sr-only">{t('distanceAway', { distance })}</span>
            <span aria-hidden="true">{distance}</span>
          </span>
        )}
      </span>
    </Link>
  );
}

/** The known parts of street and city; the town if the source has no city. */
function formatLocation(center: FoundSportCenter): string | null {
  const address = center.address && fixAllCaps(center.address);
  const city = fixAllCaps(center.city || (center.place_names[0] ?? ''));
  const parts = [address, city].filter((part) => part !== null && part !== '');
  if (address && city && address.toLowerCase().includes(city.toLowerCase())) return address;
  return parts.length > 0 ? parts.join(', ') : null;
}

/** The names of sports as one phrase: 'Climbing', 'Climbing and swimming'. */
function listSports(sports: readonly Sport[], nameOf: (sport: Sport) => string, language: string): string {
  const names = sports.map((sport, nth) => (nth === 0 ? nameOf(sport) : nameOf(sport).toLocaleLowerCase(language)));
  return listFormat(language).format(names);
}

/** The sports of a center as one icon, with a part in the colour of each. */
function SportTile({ types }: { types: Sport[] }) {
  return (
    <span aria-hidden="true" className="flex size-12 shrink-0 overflow-hidden rounded-md">
      {SPORTS.filter((sport) => types.includes(sport)).map((sport) => (
        <span
          key={sport}
          className={`grid flex-1 place-items-center ${SPORT_LOOKS[sport].tint} ${SPORT_LOOKS[sport].ink}`}
        >
          <Icon name={SPORT_LOOKS[sport].icon} size={types.length > 1 ? 20 : 24} />
        </span>
      ))}
    </span>
  );
}
