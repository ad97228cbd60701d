/** '2,000 m', '12.000 m'. */
export function formatMetres(metres: number, locale: string): string {
  return new Intl.NumberFormat(locale, { style: 'unit', unit: 'meter' }).format(metres);
}
