/** A name in the environment that is probably a mistyped setting. */
export interface MistypedSetting {
  name: string;
  /** The setting that it is probably meant to be. */
  suggestion: string;
}

const SHORT_NAME_LENGTH = 6;

/**
 * Finds names that are one typing error away from a setting (two, for a setting of more than six characters); other
 * names belong to other programs. Ignores case.
 */
export function findMistypedSettings(names: string[], settings: string[]): MistypedSetting[] {
  return names.flatMap((name) => {
    if (settings.includes(name)) return [];
    const [nearest] = settings
      .map((suggestion) => ({ name, suggestion, errors: countTypingErrors(name.toUpperCase(), suggestion) }))
      .filter(({ suggestion, errors }) => errors <= (suggestion.length > SHORT_NAME_LENGTH ? 2 : 1))
      .sort((one, other) => one.errors - other.errors);
    return nearest ? [{ name, suggestion: nearest.suggestion }] : [];
  });
}

/** Optimal string alignment distance: letters inserted, deleted, replaced, or swapped with their neighbour. */
function countTypingErrors(from: string, to: string): number {
  const rows = [Array.from({ length: to.length + 1 }, (_, column) => column)];
  const at = (row: number, column: number) => rows[row]?.[column] ?? Number.POSITIVE_INFINITY;
  for (let row = 1; row <= from.length; row += 1) {
    rows[row] = [row];
    for (let column = 1; column <= to.length; column += 1) {
      const is_same = from[row - 1] === to[column - 1];
      const is_swapped = from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
      const errors = [
        at(row - 1, column) + 1,
        at(row, column - 1) + 1,
        at(row - 1, column - 1) + (is_same ? 0 : 1),
        is_swapped ? at(row - 2, column - 2) + 1 : Number.POSITIVE_INFINITY,
      ];
      rows[row]?.push(Math.min(...errors));
    }
  }
  return at(from.length, to.length);
}
