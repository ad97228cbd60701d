import type { ReactNode } from 'react';
import type { Samples } from './samples.ts';

/** A component in one of its states. */
export interface Example {
  /** default, busy, error, empty, long text … */
  state: string;
  /** Takes the whole width of the page instead of a phone's. */
  wide?: boolean;
  render: (texts: Samples) => ReactNode;
}

/** The examples of each component, by its file in the folder of its group. */
export type Examples = Record<string, Example[]>;
