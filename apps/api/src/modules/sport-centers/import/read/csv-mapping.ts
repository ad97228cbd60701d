import { SPORTS } from '@sendlap/domain/sports.ts';
import * as z from 'zod/mini';
import { ImportError } from './types.ts';

const Column = z.string().check(z.minLength(1));
const Sports = z.array(z.enum(SPORTS)).check(z.minLength(1));

/** Maps the columns of a table; columns are named as in the table's first line. */
const CsvMapping = z.strictObject({
  columns: z.strictObject({
    name: Column,
    latitude: Column,
    longitude: Column,
    ref: z.optional(Column),
    address: z.optional(Column),
    city: z.optional(Column),
    country: z.optional(Column),
    phone: z.optional(Column),
    url: z.optional(Column),
  }),
  /** The same for every row, or derived from the values of a column. */
  sports: z.union([Sports, z.strictObject({ column: Column, values: z.record(z.string(), Sports) })]),
  /** Values of a column that mean private or not private; other values mean unknown. */
  is_private: z.optional(
    z.strictObject({ column: Column, true: z.array(z.string()), false: z.optional(z.array(z.string())) }),
  ),
  delimiter: z.optional(z.string().check(z.length(1))),
  encoding: z.optional(z.enum(['utf-8', 'latin1'])),
  source: z.string().check(z.regex(/^[\w.-]{1,60}$/, 'must be up to 60 letters, digits, dots, dashes and underscores')),
  licence: z.string().check(z.minLength(1)),
  attribution: z.string().check(z.minLength(1)),
});
export type CsvMapping = z.infer<typeof CsvMapping>;

/** Parses a mapping file. @throws ImportError `bad_mapping` that names every wrong field */
export function parseMapping(text: string): CsvMapping {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new ImportError(
      'bad_mapping',
      `the mapping file is not JSON: ${error instanceof Error ? error.message : ''}`,
    );
  }
  const parsed = CsvMapping.safeParse(value);
  if (parsed.success) return parsed.data;
  const issues = parsed.error.issues.map(({ path, ...issue }) => {
    const said =
      issue.code === 'unrecognized_keys'
        ? `unknown ${issue.keys.map((key) => `"${key}"`).join(', ')}`
        : describeIssue(issue);
    return `  ${path.join('.') || 'the file'}: ${said}`;
  });
  throw new ImportError('bad_mapping', `the mapping file does not have its form:\n${issues.join('\n')}`);
}

/** Only messages of our own rules say what they expect. */
function describeIssue({ code, message }: { code: string; message: string }): string {
  if (code === 'invalid_union') return 'must be a list of sports, or a column and what its values mean';
  if (code === 'invalid_value') return 'must be one of the values that --help shows';
  return message === 'Invalid input' ? 'is missing, empty, or of another kind' : message;
}
