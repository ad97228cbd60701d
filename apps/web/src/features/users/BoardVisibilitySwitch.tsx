import { PRESENCE_MIN_AGE } from '@sendlap/domain/locations.ts';
import { useUser } from '#web/shared/api/use-session.ts';
import { useSettings, useUpdateBoardVisibility } from '#web/shared/data/settings.ts';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { SettingSwitch } from '#web/shared/ui/controls/SettingSwitch.tsx';

/**
 * Whether others see the user on boards. A user who is too young is never on boards, whatever they chose: says so
 * instead.
 */
export function BoardVisibilitySwitch() {
  const { t } = useTranslation('users');
  const user = useUser();
  const { data, is_copy } = useSettings(user.id);
  const update = useUpdateBoardVisibility(user.id);
  // 0: the user has not entered an age.
  if (user.age > 0 && user.age < PRESENCE_MIN_AGE) {
    return (
      <div>
        <p className="font-medium">{t('boards.label')}</p>
        <p className="mt-0.5 text-label text-ink-soft">{t('boards.tooYoung', { age: PRESENCE_MIN_AGE })}</p>
      </div>
    );
  }
  return (
    <div className="flex flex-col gap-2">
      <SettingSwitch
        label={t('boards.label')}
        description={t('boards.text')}
        value={data?.boards ?? false}
        can_change={data !== undefined && !is_copy}
        update={update}
      />
    </div>
  );
}
