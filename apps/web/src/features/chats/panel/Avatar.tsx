import { initials } from '@sendlap/domain/names.ts';
import { classes } from '#web/shared/ui/classes.ts';

/** Initials on a disc. Decorative: the name is beside it. */
export function Avatar({ name, small }: { name: string; small?: boolean }) {
  return (
    <span
      aria-hidden="true"
      className={classes(
        'grid shrink-0 place-items-center overflow-clip rounded-full bg-accent-tint font-bold text-accent-ink',
        small ? 'size-10 text-sm' : 'size-12',
      )}
    >
      {initials(name)}
    </span>
  );
}
