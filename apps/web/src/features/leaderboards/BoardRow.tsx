import { ordinal } from '@sendlap/domain/ranks.ts';
import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import { useLanguage } from '#web/shared/i18n/use-language.ts';
import { classes } from '#web/shared/ui/classes.ts';
import { Avatar } from './Avatar.tsx';
import type { KeyedRow } from './keyed-rows.ts';
import { PROFILE_PATH } from './links.ts';
import { Points } from './Points.tsx';

interface BoardRowProps {
  row: KeyedRow;
  /** A second line under my name, e.g. the gap to the next. */
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
        {row.is_me ? (
          <Link
            href={PROFILE_PATH}
            className="block truncate font-semibold after:absolute after:inset-0 after:rounded-lg"
          >
            {t('me')}
          </Link>
        ) : (
          <p className="truncate font-semibold">{row.user.name ?? t('nameless')}</p>
        )}
        {note && <p className="figures line-clamp-2 text-sm/5 text-accent-ink">{note}</p>}
        {!row.is_me && row.user.public_id && <p className="truncate text-sm text-ink-faint">{row.user.public_id}</p>}
      </div>
      <Points points={row.points} className="figures text-lg font-bold" />
    </li>
  );
}

/** Below the title bar, above the navigation. */
export const STICKY =
  'sticky top-20 bottom-[calc(80px+env(safe-area-inset-bottom))] z-[5] bg-accent-tint shadow-low wide:bottom-4';
