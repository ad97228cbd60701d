import { initialsOf } from './keyed-rows.ts';

/** Initials on a disc; the name stands beside it. */
export function Avatar({ name, className }: { name: string; className: string }) {
  return (
    <span aria-hidden="true" className={`grid shrink-0 place-items-center rounded-full font-bold ${className}`}>
      {initialsOf(name)}
    </span>
  );
}
