import { ordinal } from '@sendlap/domain/ranks.ts';
import { useTranslation } from 'react-i18next';
import { useLanguage } from '#web/shared/i18n/use-language.ts';
import { classes } from '#web/shared/ui/classes.ts';
import { Avatar } from './Avatar.tsx';
import type { KeyedRow } from './keyed-rows.ts';
import { Points } from './Points.tsx';

/** From the first on: read aloud in the order of their places, seen as on a real podium with the first in the middle. */
const SEATS = ['order-2', 'order-1', 'order-3'];
/** By rank, not by seat: two firsts stand equally high. */
const HEIGHTS = ['h-24', 'h-16', 'h-11'];

/** The first three, or as many as there are. */
export function Podium({ rows }: { rows: KeyedRow[] }) {
  const { t } = useTranslation('leaderboards');
  return (
    <ol aria-label={t('podium')} className="mx-auto flex w-full max-w-[520px] items-end justify-center gap-2 pb-3">
      {rows.map((row, index) => (
        <li
          key={row.key}
          data-row={row.key}
          className={classes('max-w-44 min-w-0 flex-1', rows.length > 1 && SEATS[index])}
        >
          <PodiumPlace row={row} />
        </li>
      ))}
    </ol>
  );
}

function PodiumPlace({ row }: { row: KeyedRow }) {
  const { t } = useTranslation('leaderboards');
  const language = useLanguage();
  const first = row.rank === 1;
  return (
    <div className="flex flex-col items-center text-center">
      <Avatar
        name={row.user.name}
        className={classes(
          first ? 'size-18 bg-gold text-2xl text-on-gold' : 'size-14 bg-sunken text-lg text-ink',
          row.is_me && 'outline-3 outline-offset-2 outline-accent',
        )}
      />
      <span
        className={classes(
          'figures relative -mt-3 rounded-full px-2.5 text-[0.8125rem]/6 font-bold shadow-low',
          first ? 'bg-gold-tint text-gold-ink' : 'bg-raised text-ink-soft',
        )}
      >
        {ordinal(row.rank, language)}
      </span>
      <p className="mt-1.5 w-full truncate text-[0.9375rem] font-semibold">
        {row.is_me ? t('me') : (row.user.name ?? t('nameless'))}
      </p>
      <Points
        points={row.points}
        className={classes(
          'figures mt-1.5 flex w-full items-start justify-center rounded-t-lg pt-2 text-xl/7 font-bold transition-[height] duration-500 motion-reduce:transition-none',
          HEIGHTS[row.rank - 1] ?? 'h-11',
          first ? 'bg-gold-tint text-gold-ink' : 'bg-surface',
        )}
      />
    </div>
  );
}
