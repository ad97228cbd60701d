/** Returns the weekday that begins a week where this locale is used: 1 is Monday, 7 Sunday. */
export function firstWeekday(locale: string): number {
  // Not every browser knows it, and some only as a property.
  const { getWeekInfo, weekInfo } = new Intl.Locale(locale) as Intl.Locale & {
    getWeekInfo?: () => { firstDay: number };
    weekInfo?: { firstDay: number };
  };
  return getWeekInfo?.call(new Intl.Locale(locale)).firstDay ?? weekInfo?.firstDay ?? 1;
}
