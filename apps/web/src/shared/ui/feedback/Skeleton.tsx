import { classes } from '../classes.ts';

/** A grey place of the size of what will come; give it the height and width of the real thing. */
export function Skeleton({ className }: { className?: string }) {
  return <div aria-hidden="true" className={classes('anim-shimmer rounded-md bg-sunken', className)} />;
}
