import { ordinal } from '@sendlap/domain/ranks.ts';
import type { ReactNode } from 'react';
import { useLanguage } from '#web/shared/i18n/use-language.ts';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { Avatar } from '#web/shared/people/Avatar.tsx';
import { classes } from '#web/shared/ui/classes.ts';
import type { KeyedRow } from './loaded-rows.ts';
import { Points } from './Points.tsx';
import { RowName } from './RowName.tsx';

/** In DOM order by rank, so that screen readers read it that way; visually the first is in the middle. */
const SEATS = ['@min-[17rem]:order-2', '@min-[17rem]:order-1', '@min-[17rem]:order-3'];
/** By rank, not by seat: two athletes who share the first rank are equally high. */
const HEIGHTS = ['@min-[17rem]:h-[6rem]', '@min-[17rem]:h-[4rem]', '@min-[17rem]:h-[2.75rem]'];

interface PodiumProps {
  rows: KeyedRow[];
  /** Read aloud about the user's own rank; on screen it is in the row that stays in sight. */
  note: ReactNode;
}

/** The top three, or fewer; stacked with large text on a small screen. */
export function Podium({ rows, note }: PodiumProps) {
  const { t } = useTranslation('leaderboards');
  return (
    <ol
      aria-label={t('podium')}
      className="mx-auto flex w-full max-w-[520px] flex-col items-center gap-2 pb-3 @min-[17rem]:flex-row @min-[17rem]:items-end @min-[17rem]:justify-center"
    >
      {rows.map((row, index) => (
        <li
          key={row.key}
          data-row={row.key}
          aria-current={row.is_me || undefined}
          className={classes(
            'w-full min-w-0 @min-[17rem]:max-w-44 @min-[17rem]:flex-1',
            rows.length > 1 && SEATS[index],
          )}
        >
          <PodiumSeat row={row} />
          {row.is_me && <p className="sr-only">{note}</p>}
        </li>
      ))}
    </ol>
  );
}

function PodiumSeat({ row }: { row: KeyedRow }) {
  const language = useLanguage();
  const first = row.rank === 1;
  return (
    <div className="relative flex flex-col items-center text-center">
      <Avatar
        name={row.user.name}
        className={classes(
          first ? 'size-18 bg-gold text-2xl text-on-gold' : 'size-14 bg-sunken text-lg text-ink',
          row.is_me && 'outline-3 outline-offset-2 outline-accent',
        )}
      />
      <span
        className={classes(
          'figures relative -mt-3 rounded-full px-2.5 text-caption leading-[1.85] font-bold shadow-low',
          first ? 'bg-gold-tint text-gold-ink' : 'bg-raised text-ink-soft',
        )}
      >
        {ordinal(row.rank, language)}
      </span>
      <RowName row={row} className="mt-1.5 w-full text-label font-semibold" />
      <Points
        points={row.points}
        className={classes(
          'figures mt-1.5 flex w-full items-start justify-center rounded-t-lg pt-2 text-xl font-bold transition-[height] duration-500 motion-reduce:transition-none',
          HEIGHTS[row.rank - 1] ?? '@min-[17rem]:h-[2.75rem]',
          first ? 'bg-gold-tint text-gold-ink' : 'bg-surface',
        )}
      />
    </div>
  );
}
