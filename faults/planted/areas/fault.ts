/** A journey, by its file and a part of its title that is unique in the file. */
export interface Journey {
  file: string;
  title: string;
}

/** A wrong change of one place in the code, which tests must catch. */
export interface Fault {
  /** Unique among all faults. */
  name: string;
  /** Relative to the project's top folder. */
  file: string;
  /** Text that occurs exactly once in the file. */
  find: string;
  replace: string;
  /** The harm that a user would see. */
  harm: string;
  /** Vitest files that cover it, as paths or globs; empty if only a journey can. */
  tests: string[];
  /** A journey that catches it too; run if Vitest misses the fault. */
  journey?: Journey;
}

/** Faults in one part of the product. */
export interface Area {
  area: string;
  faults: Fault[];
}
