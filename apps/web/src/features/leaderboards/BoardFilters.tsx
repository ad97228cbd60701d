import { SPORTS } from '@sendlap/domain/sports.ts';
import type { ReactNode } from 'react';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { SPORT_LOOKS } from '#web/shared/sports/sport-look.ts';
import { Chip } from '#web/shared/ui/controls/Chip.tsx';
import { SegmentedControl } from '#web/shared/ui/controls/SegmentedControl.tsx';
import type { BoardFilter } from './board-filter.ts';

export interface CenterChoice {
  id: string;
  name: string;
}

interface BoardFiltersProps {
  filter: BoardFilter;
  my_centers: CenterChoice[];
  /** The name of a center that is not in `my_centers`. */
  renderCenterName: (id: string) => ReactNode;
  onChange: (filter: BoardFilter) => void;
}

const PERIODS = ['week', 'season', 'all'] as const;

/** The period, and the other filters as toggle chips. */
export function BoardFilters({ filter, my_centers, renderCenterName, onChange }: BoardFiltersProps) {
  const { t } = useTranslation(['leaderboards', 'shell']);
  const selected_id = filter.sport_center_id;
  const unlisted_id = selected_id !== null && !my_centers.some(({ id }) => id === selected_id) ? selected_id : null;
  const friends = filter.scope === 'friends';
  const centerChip = (id: string, name: ReactNode) => (
    <Chip
      key={id}
      icon="map-pin"
      selected={selected_id === id}
      onClick={() => onChange({ ...filter, sport_center_id: selected_id === id ? null : id })}
    >
      {name}
    </Chip>
  );
  return (
    <div className="flex flex-col gap-2.5">
      <SegmentedControl
        label={t('period.label')}
        value={filter.period}
        options={PERIODS.map((value) => ({ value, label: t(`period.${value}`) }))}
        onChange={(period) => onChange({ ...filter, period, key: null })}
      />
      <fieldset
        ref={scrollToPressed}
        className="-mx-[16px] flex min-w-0 gap-2 overflow-x-auto px-[16px] py-1 [scrollbar-width:none] wide:flex-wrap"
      >
        <legend className="sr-only">{t('filters')}</legend>
        <Chip
          icon="user"
          selected={friends}
          onClick={() => onChange({ ...filter, scope: friends ? 'all' : 'friends' })}
        >
          {t('friends')}
        </Chip>
        {SPORTS.map((sport) => (
          <Chip
            key={sport}
            tone={SPORT_LOOKS[sport].tone}
            icon={SPORT_LOOKS[sport].icon}
            selected={filter.sport === sport}
            onClick={() => onChange({ ...filter, sport: filter.sport === sport ? null : sport })}
          >
            {t(`shell:sport.${sport}`)}
          </Chip>
        ))}
        {unlisted_id !== null && centerChip(unlisted_id, renderCenterName(unlisted_id))}
        {my_centers.map(({ id, name }) => centerChip(id, name))}
      </fieldset>
    </div>
  );
}

/** The chips are wider than a phone: scrolls the pressed one into view. */
function scrollToPressed(chips: HTMLElement | null): void {
  const pressed = chips?.querySelectorAll('[aria-pressed=true]') ?? [];
  [...pressed].at(-1)?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
}
