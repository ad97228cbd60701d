import { CompiledQuery, type RawBuilder } from 'kysely';
import type { Database, Trx } from './database.ts';

/** The place of a value while the text is compiled. */
class Slot {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

/** Returns the statement with these values, for `executor.executeQuery`. */
export type CompileStatement<Values, Row> = (executor: Database | Trx, values: Values) => CompiledQuery<Row>;

/**
 * Compiles a statement at its first use, then only fills in the values: a text of several KB takes longer to compile than
 * the call around it. `build` runs once, with placeholders, so it must pass each value on to `sql` as it is.
 */
export function compileOnce<Values extends object, Row>(
  build: (values: Values) => RawBuilder<Row>,
): CompileStatement<Values, Row> {
  let compiled: { text: string; parameters: readonly unknown[] } | undefined;
  const slots = new Proxy({}, { get: (_target, name) => new Slot(String(name)) }) as Values;
  return (executor, values) => {
    if (!compiled) {
      const { sql, parameters } = build(slots).compile(executor);
      compiled = { text: sql, parameters };
    }
    const { text, parameters } = compiled;
    const filled = parameters.map((one) => (one instanceof Slot ? values[one.name as keyof Values] : one));
    return CompiledQuery.raw(text, filled) as CompiledQuery<Row>;
  };
}
