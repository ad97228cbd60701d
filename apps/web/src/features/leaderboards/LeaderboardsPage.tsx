import { localDate } from '@sendlap/domain/dates.ts';
import { type ReactNode, useRef } from 'react';
import { useLocation, useSearch } from 'wouter';
import { serverClock } from '#web/shared/api/client.ts';
import { useUser } from '#web/shared/api/use-session.ts';
import { deviceTimeZone } from '#web/shared/device/time-zone.ts';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { Screen } from '#web/shared/ui/Screen.tsx';
import { useNow } from '#web/shared/ui/use-now.ts';
import { BoardContent } from './BoardContent.tsx';
import { BoardFilters, type CenterChoice } from './BoardFilters.tsx';
import { BoardsSwitch } from './BoardsSwitch.tsx';
import { BoardVoice } from './BoardVoice.tsx';
import { type BoardFilter, readBoardFilter, writeBoardFilter } from './board-filter.ts';
import { HiddenNote } from './HiddenNote.tsx';
import { LEADERBOARDS_PATH } from './links.ts';
import { PeriodStepper } from './PeriodStepper.tsx';
import { useBoard } from './use-board.ts';
import { useBoardNews } from './use-board-news.ts';
import { useHidden } from './use-hidden.ts';
import { usePresentKey } from './use-present-key.ts';

interface LeaderboardsPageProps {
  /** The centers to choose from; they come from another feature. */
  my_centers: CenterChoice[];
  renderCenterName: (id: string) => ReactNode;
}

/** A board. Which one lives in the address, so that it can be shared and kept. */
export function LeaderboardsPage({ my_centers, renderCenterName }: LeaderboardsPageProps) {
  const { t } = useTranslation('leaderboards');
  const timeZone = deviceTimeZone();
  const today = localDate(useNow(serverClock.correctedNow), timeZone);
  const filter = readBoardFilter(useSearch(), today);
  const [, navigate] = useLocation();
  const go = (next: BoardFilter) => navigate(LEADERBOARDS_PATH + writeBoardFilter(next), { replace: true });
  const user_id = useUser().id;
  const board = useBoard(user_id, filter);
  const present = usePresentKey(user_id, filter);
  const place = useRef<HTMLDivElement>(null);
  useBoardNews(filter);
  const hidden = useHidden(board.page);
  return (
    <Screen title={t('title')}>
      <div className="mx-auto flex w-full max-w-[640px] flex-1 flex-col gap-4">
        <BoardFilters filter={filter} my_centers={my_centers} renderCenterName={renderCenterName} onChange={go} />
        <PeriodStepper filter={filter} page={board.page} today={today} present={present} onChange={go} />
        {hidden && <HiddenNote onChange={() => place.current?.querySelector('input')?.focus()} />}
        <BoardVoice filter={filter} page={board.page} />
        <BoardContent filter={filter} board={board} />
        <BoardsSwitch hidden={hidden} place={place} />
      </div>
    </Screen>
  );
}
