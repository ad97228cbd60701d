import { useSearchParams } from 'wouter';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { useGoBack } from '#web/shared/navigation/use-go-back.ts';
import { PATHS } from '#web/shared/paths.ts';
import { SegmentedControl } from '#web/shared/ui/controls/SegmentedControl.tsx';
import { Screen } from '#web/shared/ui/Screen.tsx';
import { useRetainedFocus } from '#web/shared/ui/use-retained-focus.ts';
import { type HistoryFilter, NO_FILTER, readHistoryFilter, writeHistoryFilter } from '../data/history-filter.ts';
import { HistoryCalendar } from './HistoryCalendar.tsx';
import { HistoryFilters } from './HistoryFilters.tsx';
import { HistoryList } from './HistoryList.tsx';

const VIEWS = ['list', 'calendar'] as const;

/** All my activities, as a list or a calendar. View, month and filter are in the URL, so that going back keeps them. */
export function HistoryPage() {
  const { t } = useTranslation('history');
  const [query, setQuery] = useSearchParams();
  const filter = readHistoryFilter(query);
  const content = useRetainedFocus<HTMLDivElement>();
  const view = query.get('view') === 'calendar' ? 'calendar' : 'list';
  const set = (name: string, value: string) => {
    const next = new URLSearchParams(query);
    next.set(name, value);
    setQuery(next, { replace: true });
  };
  const setFilter = (next: HistoryFilter) => setQuery(writeHistoryFilter(next, query), { replace: true });
  return (
    <Screen title={t('title')} onBack={useGoBack(PATHS.dashboard)}>
      <div ref={content} tabIndex={-1} className="mx-auto flex w-full max-w-[640px] flex-1 flex-col gap-4 outline-none">
        <SegmentedControl
          label={t('view.label')}
          value={view}
          options={VIEWS.map((value) => ({
            value,
            label: t(`view.${value}`),
            icon: value === 'list' ? 'list' : 'calendar',
          }))}
          onChange={(next) => set('view', next)}
        />
        <HistoryFilters filter={filter} has_dates={view === 'list'} onChange={setFilter} />
        {view === 'list' ? (
          <HistoryList filter={filter} onClear={() => setFilter(NO_FILTER)} />
        ) : (
          <HistoryCalendar filter={filter} month={query.get('month')} onMonth={(month) => set('month', month)} />
        )}
      </div>
    </Screen>
  );
}
