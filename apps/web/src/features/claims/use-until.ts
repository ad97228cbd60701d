import { useLocale } from '#web/shared/i18n/use-language.ts';

/** Formats the end of a code or a line, which is some days away at most. */
export function useUntil(): (time: string) => string {
  const locale = useLocale();
  const format = new Intl.DateTimeFormat(locale, {
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    hour: 'numeric',
    minute: '2-digit',
  });
  return (time) => format.format(new Date(time));
}
