/** A journey by its file and a part of its title that no other journey of the file has. */
export interface Journey {
  file: string;
  title: string;
}

/** A wrong change of one place in the code, which tests must notice. */
export interface Fault {
  /** Unique among all faults. */
  name: string;
  /** From the project's top folder. */
  file: string;
  /** Text that occurs exactly once in the file. */
  find: string;
  replace: string;
  /** What a user would see go wrong. */
  harm: string;
  /** Vitest files that cover it, as paths or globs; none where only a journey can. */
  tests: string[];
  /** A journey that catches it too; run where Vitest catches nothing. */
  journey?: Journey;
}

/** Faults in one part of the product. */
export interface Area {
  area: string;
  faults: Fault[];
}
