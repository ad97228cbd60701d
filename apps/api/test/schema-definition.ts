import type * as z from 'zod/mini';

export type Schema = z.ZodMiniType;

/** Parts of zod's definitions that the tests' walks of schemas read. */
interface Definition {
  type: string;
  format?: string;
  checks?: readonly { _zod: { def: { check: string } } }[];
  shape?: Record<string, Schema>;
  element?: Schema;
  innerType?: Schema;
  in?: Schema;
  options?: readonly Schema[];
  entries?: Record<string, string>;
  values?: readonly unknown[];
}

export const definitionOf = (schema: Schema) => schema._zod.def as unknown as Definition;
