const FIRST_WORD = /^(?:\s|\/\*.*?\*\/)*([a-z]+)/i;
const OPERATIONS = new Set(
  'BEGIN COMMIT COPY DELETE INSERT LOCK MERGE RELEASE ROLLBACK SAVEPOINT SELECT SET START UPDATE WITH'.split(' '),
);

/** Returns the first word of a statement, or `_OTHER`: one of few values. */
export function operationOf(text: string): string {
  const word = FIRST_WORD.exec(text)?.[1]?.toUpperCase() ?? '';
  return OPERATIONS.has(word) ? word : '_OTHER';
}
