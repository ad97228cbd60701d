import { initials } from '@sendlap/domain/names.ts';
import { classes } from '#web/shared/ui/classes.ts';
import { Icon } from '#web/shared/ui/icons/Icon.tsx';

const SIZES = { sm: 'size-10 text-sm', md: 'size-12 text-base', lg: 'size-20 text-3xl' };

interface AvatarProps {
  /** null: the user has not chosen a name. */
  name: string | null;
  size?: keyof typeof SIZES;
  /** A size and colours of its own. */
  className?: string;
}

/** Initials on a disc. Decorative: the name is beside it. */
export function Avatar({ name, size = 'md', className }: AvatarProps) {
  return (
    <span
      aria-hidden="true"
      className={classes(
        '@container grid shrink-0 place-items-center overflow-clip rounded-full font-bold',
        className ?? `bg-accent-tint text-accent-ink ${SIZES[size]}`,
      )}
    >
      {name === null ? (
        <Icon name="user" size={size === 'lg' ? 36 : 22} />
      ) : (
        // Never wider than the disc.
        <span className="text-[min(1em,38cqi)]">{initials(name)}</span>
      )}
    </span>
  );
}
