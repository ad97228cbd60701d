import { ordinal } from '@sendlap/domain/ranks.ts';
import type { ReactNode } from 'react';
import { useLanguage, useLocale } from '#web/shared/i18n/use-language.ts';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { Avatar } from '#web/shared/people/Avatar.tsx';
import { classes } from '#web/shared/ui/classes.ts';
import type { KeyedRow } from './loaded-rows.ts';
import { Points } from './Points.tsx';
import { RowName } from './RowName.tsx';

interface BoardRowProps {
  row: KeyedRow;
  /** A second line under the user's name, e.g. the gap to the next rank. */
  note?: ReactNode;
}

/** A sticky copy of the user's row while the real one is on the podium, hidden from screen readers, which read the podium. */
export function StickyMyRow({ row, note }: BoardRowProps) {
  const { t } = useTranslation('leaderboards');
  const language = useLanguage();
  const locale = useLocale();
  return (
    <div aria-hidden="true" className={classes(ROW, STICKY)}>
      <span className={RANK}>{ordinal(row.rank, language)}</span>
      <Avatar name={row.user.name} className={classes(AVATAR, 'bg-accent text-on-accent')} />
      <div className={NAME}>
        <p className="font-semibold">{t('me')}</p>
        {note && <p className={NOTE}>{note}</p>}
      </div>
      <span className={POINTS}>{row.points.toLocaleString(locale)}</span>
    </div>
  );
}

/** Rank, name, points. The user's own row stays in sight: it sticks to the screen edge where it would scroll out. */
export function BoardRow({ row, note }: BoardRowProps) {
  const language = useLanguage();
  return (
    <li
      data-row={row.key}
      aria-current={row.is_me || undefined}
      tabIndex={-1}
      className={classes(ROW, row.is_me ? STICKY : 'relative bg-surface')}
    >
      <span className={RANK}>{ordinal(row.rank, language)}</span>
      <Avatar name={row.user.name} className={classes(AVATAR, row.is_me ? 'bg-accent text-on-accent' : 'bg-sunken')} />
      <div className={NAME}>
        <RowName row={row} className="text-left font-semibold" />
        {note && <p className={NOTE}>{note}</p>}
        {!row.is_me && row.user.public_id && (
          <p className="text-sm wrap-break-word text-ink-faint">{row.user.public_id}</p>
        )}
      </div>
      <Points points={row.points} className={POINTS} />
    </li>
  );
}

/** Below the title bar, above the navigation. */
export const STICKY = 'sticky top-20 bottom-[calc(var(--nav-room)+8px)] z-[5] bg-accent-tint shadow-low wide:bottom-4';
/** With large text on a small screen the points wrap below the name, so that nothing overflows the row. */
const ROW = 'flex min-h-16 flex-wrap items-center gap-x-3 rounded-lg px-3 py-2';
const RANK = 'figures min-w-[2.75rem] shrink-0 text-center font-bold text-ink-soft @max-[17rem]:min-w-0';
const AVATAR = 'size-10 text-label @max-[17rem]:hidden';
const NAME = 'min-w-0 flex-[1_1_4rem]';
const NOTE = 'figures text-sm text-accent-ink';
const POINTS = 'figures ml-auto text-lg font-bold';
