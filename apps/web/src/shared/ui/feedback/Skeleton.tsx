import { classes } from '../classes.ts';

/** A grey placeholder; give it the height and width of the real content. */
export function Skeleton({ className }: { className?: string }) {
  return <div aria-hidden="true" className={classes('anim-shimmer max-w-full rounded-md bg-sunken', className)} />;
}
