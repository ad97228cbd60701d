import { PRESENCE_MIN_AGE } from '@sendlap/domain/locations.ts';
import { useQuery } from '@tanstack/react-query';
import { getSettingsQuery, useUpdateBoards } from '#web/shared/api/settings.ts';
import { useUser } from '#web/shared/api/use-session.ts';
import { useOnline } from '#web/shared/device/online.ts';
import { useErrorText } from '#web/shared/i18n/use-error-text.ts';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { Problem } from '#web/shared/ui/Problem.tsx';
import { Switch } from '#web/shared/ui/Switch.tsx';
import { useWish } from '#web/shared/ui/use-wish.ts';

/** Whether others see me on boards. Who is too young is on none, whatever was chosen: there it says so instead. */
export function BoardsSwitch() {
  const { t } = useTranslation('users');
  const user = useUser();
  const errorText = useErrorText();
  const online = useOnline();
  const { data } = useQuery(getSettingsQuery(user.id));
  const update = useUpdateBoards(user.id);
  const [wish, choose] = useWish(update.mutate);
  // An age of 0 is one that nobody has told.
  if (user.age > 0 && user.age < PRESENCE_MIN_AGE) {
    return (
      <div>
        <p className="font-medium">{t('boards.label')}</p>
        <p className="mt-0.5 text-[0.9375rem] text-ink-soft">{t('boards.tooYoung', { age: PRESENCE_MIN_AGE })}</p>
      </div>
    );
  }
  const shown = wish ?? data?.boards ?? false;
  return (
    <div className="flex flex-col gap-2">
      <Switch
        label={t('boards.label')}
        description={t('boards.text')}
        checked={shown}
        // Not while it is sent: what is disabled loses the focus.
        disabled={!data || !online}
        busy={wish !== null}
        onChange={choose}
      />
      {update.isError && <Problem>{errorText(update.error)}</Problem>}
    </div>
  );
}
