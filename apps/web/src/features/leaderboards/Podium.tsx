import { ordinal } from '@sendlap/domain/ranks.ts';
import { useTranslation } from 'react-i18next';
import { useLanguage } from '#web/shared/i18n/use-language.ts';
import { classes } from '#web/shared/ui/classes.ts';
import { Avatar } from './Avatar.tsx';
import type { KeyedRow } from './keyed-rows.ts';

/** From left to right as on a real podium: the second, the first, the third. */
const PLACES = [
  { index: 1, height: 'h-20', look: 'size-14 text-lg bg-sunken text-ink' },
  { index: 0, height: 'h-28', look: 'size-18 text-2xl bg-gold text-on-gold' },
  { index: 2, height: 'h-14', look: 'size-14 text-lg bg-sunken text-ink' },
] as const;

/** The first three. Read aloud in the order of their places. */
export function Podium({ rows }: { rows: KeyedRow[] }) {
  const { t } = useTranslation('leaderboards');
  return (
    <ol aria-label={t('podium')} className="mx-auto flex w-full max-w-[520px] items-end gap-2">
      {PLACES.map(({ index, height, look }) => {
        const row = rows[index];
        return (
          <li
            key={row?.key ?? index}
            className={classes(
              'min-w-0 flex-1',
              index === 0 && 'order-2',
              index === 1 && 'order-1',
              index === 2 && 'order-3',
            )}
          >
            {row && <PodiumPlace row={row} height={height} look={look} />}
          </li>
        );
      })}
    </ol>
  );
}

function PodiumPlace({ row, height, look }: { row: KeyedRow; height: string; look: string }) {
  const { t } = useTranslation('leaderboards');
  const language = useLanguage();
  const first = row.rank === 1;
  return (
    <div className="flex flex-col items-center text-center">
      <Avatar
        name={row.user.name}
        className={classes(look, row.is_me && 'outline-3 outline-offset-2 outline-accent')}
      />
      <p className="mt-2 w-full truncate text-[0.9375rem] font-semibold">{row.is_me ? t('me') : row.user.name}</p>
      <div
        className={classes(
          'figures mt-2 flex w-full flex-col items-center justify-center rounded-t-lg transition-[height] duration-500',
          height,
          first ? 'bg-gold-tint text-gold-ink' : 'bg-surface',
        )}
      >
        <p className="text-xl font-bold">{row.points.toLocaleString(language)}</p>
        <p className="text-sm text-ink-soft">{ordinal(row.rank, language)}</p>
      </div>
    </div>
  );
}
