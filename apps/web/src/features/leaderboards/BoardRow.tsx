import { ordinal } from '@sendlap/domain/ranks.ts';
import { useTranslation } from 'react-i18next';
import { useLanguage } from '#web/shared/i18n/use-language.ts';
import { classes } from '#web/shared/ui/classes.ts';
import { Avatar } from './Avatar.tsx';
import type { KeyedRow } from './keyed-rows.ts';

interface BoardRowProps {
  row: KeyedRow;
  /** A second line under the name, e.g. the gap to the next. */
  note?: string | undefined;
}

/** Place, name, points. My own row stays in sight: it sticks to the edge of the screen that it would leave. */
export function BoardRow({ row, note }: BoardRowProps) {
  const { t } = useTranslation('leaderboards');
  const language = useLanguage();
  return (
    <li
      data-row={row.key}
      aria-current={row.is_me || undefined}
      className={classes('flex min-h-16 items-center gap-3 rounded-lg px-3 py-2', row.is_me ? STICKY : 'bg-surface')}
    >
      <span className="figures w-11 shrink-0 text-center font-bold text-ink-soft">{ordinal(row.rank, language)}</span>
      <Avatar
        name={row.user.name}
        className={classes('size-10 text-[0.9375rem]', row.is_me ? 'bg-accent text-on-accent' : 'bg-sunken')}
      />
      <div className="min-w-0 flex-1">
        <p className="truncate font-semibold">{row.is_me ? t('me') : row.user.name}</p>
        {note && <p className="figures truncate text-sm text-accent-ink">{note}</p>}
      </div>
      <span className="figures text-lg font-bold">{row.points.toLocaleString(language)}</span>
    </li>
  );
}

/** Below the title bar, above the navigation. */
export const STICKY =
  'sticky top-20 bottom-[calc(80px+env(safe-area-inset-bottom))] z-[5] bg-accent-tint shadow-low wide:bottom-4';
