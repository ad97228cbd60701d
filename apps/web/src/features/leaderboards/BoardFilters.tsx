import { SPORTS } from '@sendlap/domain/scoring.ts';
import { useTranslation } from 'react-i18next';
import { Chip } from '#web/shared/ui/Chip.tsx';
import { Segmented } from '#web/shared/ui/Segmented.tsx';
import type { BoardFilter } from './queries.ts';

export interface CenterChoice {
  id: string;
  name: string;
}

interface BoardFiltersProps {
  filter: BoardFilter;
  my_centers: CenterChoice[];
  onChange: (filter: BoardFilter) => void;
}

/** Sport and center of the board. */
export function BoardFilters({ filter, my_centers, onChange }: BoardFiltersProps) {
  const { t } = useTranslation(['leaderboards', 'shell']);
  const asked = filter.sport_center_id;
  const known = asked === null || my_centers.some((center) => center.id === asked);
  const centers = known ? my_centers : [{ id: asked, name: t('otherCenter') }, ...my_centers];
  return (
    <div className="flex flex-col gap-3">
      <Segmented
        label={t('sport')}
        value={filter.sport ?? 'all'}
        options={[
          { value: 'all', label: t('all') },
          ...SPORTS.map((sport) => ({ value: sport, label: t(`shell:sport.${sport}`) })),
        ]}
        onChange={(sport) => onChange({ ...filter, sport: sport === 'all' ? null : sport })}
      />
      {centers.length > 0 && (
        <fieldset className="-mx-[16px] min-w-0 flex gap-2 overflow-x-auto px-[16px] py-1 [scrollbar-width:none]">
          <legend className="sr-only">{t('center')}</legend>
          <Chip selected={asked === null} onClick={() => onChange({ ...filter, sport_center_id: null })}>
            {t('allCenters')}
          </Chip>
          {centers.map(({ id, name }) => (
            <Chip key={id} selected={asked === id} onClick={() => onChange({ ...filter, sport_center_id: id })}>
              {name}
            </Chip>
          ))}
        </fieldset>
      )}
    </div>
  );
}
