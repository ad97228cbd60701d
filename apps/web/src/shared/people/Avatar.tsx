import { DEFAULT_DISPLAY_NAME, initials } from '@sendlap/domain/names.ts';
import { Icon } from '#web/shared/ui/icons/Icon.tsx';

const SIZES = {
  md: 'size-12 text-base',
  lg: 'size-20 text-3xl',
};

/** Initials on a disc. Decorative: the name is beside it. */
export function Avatar({ name, size = 'md' }: { name: string; size?: keyof typeof SIZES }) {
  return (
    <span
      aria-hidden="true"
      className={`grid shrink-0 place-items-center rounded-full bg-accent-tint font-bold text-accent-ink ${SIZES[size]}`}
    >
      {name === DEFAULT_DISPLAY_NAME ? <Icon name="user" size={size === 'lg' ? 36 : 22} /> : initials(name)}
    </span>
  );
}
