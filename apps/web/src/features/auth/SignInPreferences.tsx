import { setTheme, THEMES, useTheme } from '#web/shared/device/theme.ts';
import { changeLanguage } from '#web/shared/i18n/i18n.ts';
import { LANGUAGES } from '#web/shared/i18n/language.ts';
import { useLanguage } from '#web/shared/i18n/use-language.ts';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { IconButton } from '#web/shared/ui/controls/IconButton.tsx';

/** Language and appearance switches for signed-out visitors. */
export function SignInPreferences() {
  const { t } = useTranslation('shell');
  const theme = useTheme();
  const language = useLanguage();
  const other = LANGUAGES.find(({ value }) => value !== language) ?? LANGUAGES[0];
  const next = THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length] ?? 'auto';
  const is_dark = theme === 'auto' ? matchMedia('(prefers-color-scheme: dark)').matches : theme === 'dark';
  return (
    <>
      <IconButton
        icon={is_dark ? 'moon' : 'sun'}
        label={`${t('theme.label')}: ${t(`theme.${theme}`)}`}
        onClick={() => setTheme(next)}
      />
      <button
        type="button"
        lang={other.value}
        onClick={() => void changeLanguage(other.value)}
        className="pressable inline-flex min-h-12 items-center rounded-full px-3 text-label font-semibold text-ink"
      >
        {other.label}
      </button>
    </>
  );
}
