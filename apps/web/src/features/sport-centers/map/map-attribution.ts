const OPEN_STREET_MAP = /(©|&copy;)?\s*(the\s+)?OpenStreetMap(\s+contributors)?(\s*\(ODbL\))?/gi;

/**
 * The authors of a map file besides OpenStreetMap, which is always credited: `''` or e.g. '© OpenMapTiles'. Map files
 * contain HTML of various forms; only its text is used.
 */
export function otherAuthors(attribution: string): string {
  return attribution
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(OPEN_STREET_MAP, ' ')
    .replaceAll('&copy;', '©')
    .replaceAll(/[<>]/g, '')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/^[\s,·|&-]+|[\s,·|&©-]+$/g, '');
}
