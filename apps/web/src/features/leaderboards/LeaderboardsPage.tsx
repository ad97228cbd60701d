import { localDate } from '@sendlap/domain/dates.ts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useEffect, useRef } from 'react';
import { useLocation, useSearch } from 'wouter';
import { useUser } from '#web/shared/api/use-session.ts';
import { getSettingsQuery, settingsKey } from '#web/shared/data/settings.ts';
import { deviceTimeZone } from '#web/shared/device/time-zone.ts';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { PATHS } from '#web/shared/paths.ts';
import { useServerNow } from '#web/shared/time/use-now.ts';
import { Icon } from '#web/shared/ui/icons/Icon.tsx';
import { Screen } from '#web/shared/ui/Screen.tsx';
import { BoardAnnouncer } from './BoardAnnouncer.tsx';
import { BoardContent } from './BoardContent.tsx';
import { BoardFilters, type CenterChoice } from './BoardFilters.tsx';
import { BoardVisibilityCard } from './BoardVisibilityCard.tsx';
import { type BoardFilter, formatBoardFilter, parseBoardFilter } from './board-filter.ts';
import { PeriodStepper } from './PeriodStepper.tsx';
import { type Board, useBoard } from './use-board.ts';
import { useBoardLiveUpdates } from './use-board-live-updates.ts';
import { useCurrentPeriodKey } from './use-current-period-key.ts';
import { isContradictory, isHidden, isTooYoung } from './visibility.ts';

interface LeaderboardsPageProps {
  /** The centers to choose from; another feature provides them. */
  my_centers: CenterChoice[];
  renderCenterName: (id: string) => ReactNode;
  /** Asks for body data: the age decides who sees the user. Below the board, where it moves no row when it loads later. */
  bio_info_question: ReactNode;
}

/** A board. Its filter is in the address, so that a link to it can be shared and bookmarked. */
export function LeaderboardsPage({ my_centers, renderCenterName, bio_info_question }: LeaderboardsPageProps) {
  const { t } = useTranslation('leaderboards');
  const timeZone = deviceTimeZone();
  const today = localDate(useServerNow(), timeZone);
  const filter = parseBoardFilter(useSearch(), today);
  const [, navigate] = useLocation();
  const setFilter = (next: BoardFilter) => navigate(PATHS.leaderboards + formatBoardFilter(next), { replace: true });
  const user_id = useUser().id;
  const board = useBoard(user_id, filter);
  const current_key = useCurrentPeriodKey(user_id, filter);
  const switch_container = useRef<HTMLDivElement>(null);
  useBoardLiveUpdates(filter);
  const hidden = useHidden(board);
  return (
    <Screen title={t('title')}>
      <div className="mx-auto flex w-full max-w-[640px] flex-1 flex-col gap-4">
        <BoardFilters
          filter={filter}
          my_centers={my_centers}
          renderCenterName={renderCenterName}
          onChange={setFilter}
        />
        <PeriodStepper filter={filter} page={board.page} today={today} current_key={current_key} onChange={setFilter} />
        {hidden && <HiddenNote onChange={() => switch_container.current?.querySelector('input')?.focus()} />}
        <BoardAnnouncer filter={filter} page={board.is_copy ? null : board.page} />
        <BoardContent filter={filter} board={board} />
        {bio_info_question}
        <BoardVisibilityCard hidden={hidden} container={switch_container} />
      </div>
    </Screen>
  );
}

/** Says that the user is hidden and links to the switch, or explains why there is no switch. */
function HiddenNote({ onChange: onChangeVisibility }: { onChange: () => void }) {
  const { t } = useTranslation('leaderboards');
  const is_young = isTooYoung(useUser());
  return (
    <div className="flex flex-wrap items-center gap-x-3 rounded-lg bg-sunken py-1 pr-1 pl-4">
      <Icon name="eye" size={22} className="shrink-0 text-ink-soft" />
      <p className="min-w-0 flex-[1_1_8rem] py-2 pr-2 text-label">{t(is_young ? 'young' : 'hidden')}</p>
      {!is_young && (
        <button
          type="button"
          onClick={onChangeVisibility}
          className="pressable min-h-12 shrink-0 rounded-md px-3 font-semibold text-accent-ink"
        >
          {t('change')}
        </button>
      )}
    </div>
  );
}

/** Whether the user is hidden from boards; null: not known. Reloads settings that contradict the board. */
function useHidden({ page, is_copy }: Board): boolean | null {
  const queries = useQueryClient();
  const { id, age } = useUser();
  const { data } = useQuery(getSettingsQuery(id));
  const facts = { age, hidden: page?.hidden ?? null, boards: data?.boards ?? null };
  // A cached copy is old; the settings that contradict it may well be newer.
  const are_settings_outdated = !is_copy && isContradictory(facts);
  useEffect(() => {
    if (are_settings_outdated) void queries.invalidateQueries({ queryKey: settingsKey(id) });
  }, [are_settings_outdated, id, queries]);
  return isHidden(facts);
}
