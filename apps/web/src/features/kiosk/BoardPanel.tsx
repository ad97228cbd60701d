import { localDate } from '@sendlap/domain/dates.ts';
import { ordinal } from '@sendlap/domain/ranks.ts';
import { useLanguage, useLocale } from '#web/shared/i18n/use-language.ts';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { formatDateRange } from '#web/shared/time/format-date-range.ts';
import { classes } from '#web/shared/ui/classes.ts';
import { Icon } from '#web/shared/ui/icons/Icon.tsx';
import { formatZonedMoment } from './format-times.ts';
import type { KioskBoard } from './kiosk-state.ts';

/** A board older than this shows its age. */
const FRESH_MS = 150_000;

interface BoardPanelProps {
  /** null: no board has been loaded yet. */
  board: KioskBoard | null;
  time_zone: string;
  /** ms epoch, server time */
  now_ms: number;
}

/** The center's board of the week, with the display names of the athletes. */
export function BoardPanel({ board, time_zone, now_ms }: BoardPanelProps) {
  const { t } = useTranslation('kiosk');
  const locale = useLocale();
  const is_old = board !== null && now_ms - board.at_ms > FRESH_MS;
  const is_past = board !== null && localDate(now_ms, time_zone) > board.board.ends_on;
  return (
    <>
      <div className="flex flex-wrap items-baseline justify-between gap-x-4">
        <h2 className="flex items-center gap-2.5 text-[clamp(1.25rem,2.4vw,1.75rem)] font-bold">
          <Icon name="trophy" size={28} className="text-gold-ink" />
          {is_past ? t('board.past', { range: formatDateRange(board.board, locale) }) : t('board.title')}
        </h2>
        <p className="text-sm text-ink-soft">
          {is_old
            ? t('asOf', { time: formatZonedMoment(board.at_ms, now_ms, time_zone, locale) })
            : board && board.board.total > 0 && t('board.total', { count: board.board.total })}
        </p>
      </div>
      {board ? <Rows items={board.board.items} /> : <p className="text-ink-soft">{t('board.waiting')}</p>}
    </>
  );
}

function Rows({ items }: { items: KioskBoard['board']['items'] }) {
  const { t } = useTranslation(['kiosk', 'shell']);
  const language = useLanguage();
  const locale = useLocale();
  if (items.length === 0) {
    return (
      <div className="rounded-xl bg-surface px-6 py-4 text-center">
        <h3 className="text-xl font-bold">{t('board.empty.title')}</h3>
        <p className="mx-auto mt-1 max-w-[34ch] text-ink-soft">{t('board.empty.text')}</p>
      </div>
    );
  }
  return (
    <ol aria-label={t('board.list')} className="kiosk-rows">
      {keyRows(items).map(({ key, rank, name, points }) => (
        <li
          key={key}
          className={classes(
            'flex min-h-14 w-full items-center gap-3 rounded-lg px-4 py-2 text-[clamp(1rem,1.8vw,1.375rem)]',
            rank === 1 ? 'bg-gold-tint' : 'bg-surface',
          )}
        >
          <span
            className={classes(
              'figures min-w-[3rem] shrink-0 font-bold',
              rank === 1 ? 'text-gold-ink' : 'text-ink-soft',
            )}
          >
            {ordinal(rank, language)}
          </span>
          <bdi className="min-w-0 flex-1 truncate text-left font-semibold">{name ?? t('shell:nameless')}</bdi>
          <span className="figures font-bold">
            <span aria-hidden="true">{points.toLocaleString(locale)}</span>
            <span className="sr-only">{t('board.points', { points: points.toLocaleString(locale) })}</span>
          </span>
        </li>
      ))}
    </ol>
  );
}

/**
 * Several athletes may share a name (those who chose none show as "Athlete"): the key is the name plus its occurrence.
 */
function keyRows<Row extends { name: string | null }>(rows: readonly Row[]): (Row & { key: string })[] {
  const seen = new Map<string | null, number>();
  return rows.map((row) => {
    const nth = (seen.get(row.name) ?? 0) + 1;
    seen.set(row.name, nth);
    return { ...row, key: `${row.name} ${nth}` };
  });
}
