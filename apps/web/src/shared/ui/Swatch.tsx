import { classes } from './classes.ts';

const LOOKS = {
  solid: 'bg-current',
  hatched: 'hatched inset-ring-[1.5px] inset-ring-current',
  outline: 'inset-ring-[1.5px] inset-ring-current',
};

export type SwatchLook = keyof typeof LOOKS;

interface SwatchProps {
  /** Solid: counts. Hatched: recorded and not confirmed. Outline: counts no longer. */
  look: SwatchLook;
  /** Its size, its margins, and its colour as a class of text. */
  className: string;
}

/** A mark or its sample in a legend; a screen reader gets the text beside it. */
export function Swatch({ look, className }: SwatchProps) {
  return <span aria-hidden="true" className={classes('rounded-xs', LOOKS[look], className)} />;
}
