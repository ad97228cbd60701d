import { Icon } from '#web/shared/ui/icons/Icon.tsx';
import { initialsOf } from './keyed-rows.ts';

interface AvatarProps {
  /** null: nobody has chosen one. */
  name: string | null;
  className: string;
}

/** Initials on a disc; the name stands beside it. */
export function Avatar({ name, className }: AvatarProps) {
  return (
    <span aria-hidden="true" className={`grid shrink-0 place-items-center rounded-full font-bold ${className}`}>
      {name === null ? <Icon name="user" size={22} /> : initialsOf(name)}
    </span>
  );
}
