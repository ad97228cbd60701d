/** Where a sport is described: its record, its look, and its rules of the import. */
const OWN_FILES =
  /^(?:packages\/domain\/src\/sports|apps\/web\/src\/shared\/sports|apps\/api\/src\/modules\/sport-centers\/import\/classify)\//;
const TEST = /\.(?:test|spec)\.tsx?$/;

/**
 * Returns where a file compares with the name of a sport, as `line: code: where it belongs instead`: with `===`, `!==`,
 * `case` or `includes`. Sports' own files may, and so may a test file, which may be about one sport; helpers and models of
 * tests may not, since they serve every sport. `path`: from the project's root.
 */
export function findSportComparisons(path: string, text: string, sports: readonly string[]): string[] {
  if (OWN_FILES.test(path) || TEST.test(path)) return [];
  const name = `['"\`](?:${sports.join('|')})['"\`]`;
  const comparison = new RegExp(
    `[!=]==?\\s*${name}|${name}\\s*[!=]==?|\\bcase\\s+${name}|\\bincludes\\(\\s*${name}`,
    'g',
  );
  return [...text.matchAll(comparison)].map(({ 0: code, index }) => {
    const line = text.slice(0, index).split('\n').length;
    return `${line}: ${code.replaceAll(/\s+/g, ' ')}: read a field of the sport's record or look (docs/how-to/add-a-sport.md)`;
  });
}
