import { changeLanguage } from '#web/shared/i18n/i18n.ts';
import { LANGUAGES } from '#web/shared/i18n/language.ts';
import { useLanguage } from '#web/shared/i18n/use-language.ts';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { SegmentedControl } from '#web/shared/ui/controls/SegmentedControl.tsx';

export function KioskLanguage() {
  const { t } = useTranslation('shell');
  return (
    <SegmentedControl
      label={t('language')}
      value={useLanguage()}
      options={LANGUAGES}
      onChange={(language) => void changeLanguage(language)}
      className="min-w-[min(12rem,100%)]"
    />
  );
}
