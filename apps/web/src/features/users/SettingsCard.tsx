import { useOnline } from '#web/shared/device/online.ts';
import { setTheme, THEMES, useTheme } from '#web/shared/device/theme.ts';
import { changeLanguage } from '#web/shared/i18n/i18n.ts';
import { LANGUAGES } from '#web/shared/i18n/language.ts';
import { useLanguage } from '#web/shared/i18n/use-language.ts';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { Card } from '#web/shared/ui/Card.tsx';
import { SegmentedControl } from '#web/shared/ui/controls/SegmentedControl.tsx';
import { BoardVisibilitySwitch } from './BoardVisibilitySwitch.tsx';
import { PresenceSwitch } from './PresenceSwitch.tsx';
import { UnitSettings } from './UnitSettings.tsx';

const THEME_ICONS = { auto: 'sync', light: 'sun', dark: 'moon' } as const;

/** Language, theme and units, which belong to this device, and the visibility switches. */
export function SettingsCard() {
  const { t } = useTranslation(['users', 'shell']);
  const language = useLanguage();
  const theme = useTheme();
  const online = useOnline();
  return (
    <Card as="section" className="flex flex-col gap-4">
      <h2 className="text-xl font-bold">{t('users:settings')}</h2>
      <div>
        <p aria-hidden="true" className="mb-1.5 text-label font-medium text-ink-soft">
          {t('shell:language')}
        </p>
        <SegmentedControl
          label={t('shell:language')}
          value={language}
          options={LANGUAGES}
          onChange={(language) => void changeLanguage(language)}
        />
      </div>
      <div>
        <p aria-hidden="true" className="mb-1.5 text-label font-medium text-ink-soft">
          {t('shell:theme.label')}
        </p>
        <SegmentedControl
          label={t('shell:theme.label')}
          value={theme}
          options={THEMES.map((value) => ({
            value,
            label: t(`shell:theme.${value}`),
            ...(value === 'auto' ? {} : { icon: THEME_ICONS[value] }),
          }))}
          onChange={setTheme}
        />
      </div>
      <UnitSettings />
      <BoardVisibilitySwitch />
      <PresenceSwitch />
      {!online && <p className="text-sm text-ink-faint">{t('users:settingsOffline')}</p>}
    </Card>
  );
}
