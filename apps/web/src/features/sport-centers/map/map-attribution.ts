const OPEN_STREET_MAP = /(©|&copy;)?\s*(the\s+)?OpenStreetMap(\s+contributors)?(\s*\(ODbL\))?/gi;

/**
 * Whose work a map file is besides OpenStreetMap's, which is named anyway: `''` or e.g. '© OpenMapTiles'. Map files
 * write it as HTML, each in its own way; only the text is taken.
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
