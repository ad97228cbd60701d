import { useQuery } from '@tanstack/react-query';
import type { RefObject } from 'react';
import { useTranslation } from 'react-i18next';
import { getSettingsQuery, useUpdateBoards } from '#web/shared/api/settings.ts';
import { useUser } from '#web/shared/api/use-session.ts';
import { useOnline } from '#web/shared/device/online.ts';
import { useErrorText } from '#web/shared/i18n/use-error-text.ts';
import { Card } from '#web/shared/ui/Card.tsx';
import { Icon } from '#web/shared/ui/Icon.tsx';
import { Problem } from '#web/shared/ui/Problem.tsx';
import { Switch } from '#web/shared/ui/Switch.tsx';

interface BoardsSwitchProps {
  /** As the last board said; null: none has come yet. */
  hidden: boolean | null;
  place: RefObject<HTMLDivElement | null>;
}

/** Whether others see me on boards. Under 16 nobody is shown, whatever was chosen. */
export function BoardsSwitch({ hidden, place }: BoardsSwitchProps) {
  const { t } = useTranslation('leaderboards');
  const user = useUser();
  const online = useOnline();
  const errorText = useErrorText();
  const { data } = useQuery(getSettingsQuery(user.id));
  const update = useUpdateBoards(user.id);
  // Hidden in spite of the switch: too young, as the note above the board says.
  if (hidden && data?.boards && !update.isPending) return null;
  return (
    <div ref={place}>
      <Card className="flex flex-col gap-2">
        <Switch
          label={t('show.label')}
          description={t('show.text')}
          checked={update.isPending ? update.variables : (data?.boards ?? hidden === false)}
          disabled={!data || !online || update.isPending}
          onChange={(boards) => update.mutate(boards)}
        />
        {!online && <p className="text-sm text-ink-faint">{t('show.offline')}</p>}
        {update.isError && <Problem>{errorText(update.error)}</Problem>}
      </Card>
    </div>
  );
}

/** Says that I am hidden, and leads to the switch; or why there is none. */
export function HiddenNote({ onChange }: { onChange: () => void }) {
  const { t } = useTranslation('leaderboards');
  const user = useUser();
  const { data } = useQuery(getSettingsQuery(user.id));
  const is_young = data?.boards ?? false;
  return (
    <div className="flex items-center gap-3 rounded-lg bg-sunken py-1 pr-1 pl-4">
      <Icon name="eye" size={22} className="shrink-0 text-ink-soft" />
      <p className="min-w-0 flex-1 py-2 pr-2 text-[0.9375rem]">{t(is_young ? 'young' : 'hidden')}</p>
      {!is_young && (
        <button
          type="button"
          onClick={onChange}
          className="pressable min-h-12 shrink-0 rounded-md px-3 font-semibold text-accent-ink"
        >
          {t('change')}
        </button>
      )}
    </div>
  );
}
