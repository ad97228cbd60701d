import { Icon } from '#web/shared/ui/icons/Icon.tsx';
import { initialsOf } from './keyed-rows.ts';

interface AvatarProps {
  /** null: the user has not chosen a name. */
  name: string | null;
  className: string;
}

/** Initials on a disc; the name is shown beside it. */
export function Avatar({ name, className }: AvatarProps) {
  return (
    <span aria-hidden="true" className={`grid shrink-0 place-items-center rounded-full font-bold ${className}`}>
      {name === null ? <Icon name="user" size={22} /> : initialsOf(name)}
    </span>
  );
}
