import { Link } from 'wouter';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { friendPath, PATHS } from '#web/shared/paths.ts';
import { classes } from '#web/shared/ui/classes.ts';
import type { KeyedRow } from './loaded-rows.ts';

/**
 * The name in a row. The user's own leads to the profile, a friend's to the friend; only these rows come with a public
 * id. The link covers the nearest positioned element, which is the row.
 */
export function RowName({ row: { is_me, user }, className }: { row: KeyedRow; className: string }) {
  const { t } = useTranslation(['leaderboards', 'shell']);
  const name = is_me ? t('me') : (user.name ?? t('shell:nameless'));
  const href = is_me ? PATHS.profile : user.public_id && friendPath(user.public_id);
  // The direction of the name decides which end is cut off.
  if (!href)
    return (
      <p dir="auto" className={classes('truncate', className)}>
        {name}
      </p>
    );
  return (
    <Link
      href={href}
      dir="auto"
      className={classes('block truncate after:absolute after:inset-0 after:rounded-lg', className)}
    >
      {name}
    </Link>
  );
}
