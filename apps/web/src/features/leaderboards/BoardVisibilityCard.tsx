import { useQuery } from '@tanstack/react-query';
import type { RefObject } from 'react';
import { useUser } from '#web/shared/api/use-session.ts';
import { getSettingsQuery, useUpdateBoardVisibility } from '#web/shared/data/settings.ts';
import { useOnline } from '#web/shared/device/online.ts';
import { useErrorText } from '#web/shared/i18n/use-error-text.ts';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { Card } from '#web/shared/ui/Card.tsx';
import { Button } from '#web/shared/ui/controls/Button.tsx';
import { Problem } from '#web/shared/ui/controls/Problem.tsx';
import { SettingSwitch } from '#web/shared/ui/controls/SettingSwitch.tsx';
import { isShown, isTooYoung } from './visibility.ts';

interface BoardVisibilityCardProps {
  /** null: not known. */
  hidden: boolean | null;
  container: RefObject<HTMLDivElement | null>;
}

/**
 * Whether others see the user on boards. Users under 16 are never shown, whatever they chose; a note above the board
 * says so.
 */
export function BoardVisibilityCard({ hidden, container }: BoardVisibilityCardProps) {
  const { t } = useTranslation(['leaderboards', 'shell']);
  const user = useUser();
  const online = useOnline();
  const errorText = useErrorText();
  const settings = useQuery(getSettingsQuery(user.id));
  const update = useUpdateBoardVisibility(user.id);
  const { data } = settings;
  const failed = online && !data && settings.isError;
  const shown = isShown({ hidden, boards: data?.boards ?? null });
  if (isTooYoung(user) || (shown === null && !failed)) return null;
  return (
    <div ref={container}>
      <Card className="flex flex-col gap-2">
        <SettingSwitch
          label={t('show.label')}
          description={t('show.text')}
          value={shown}
          can_change={data !== undefined}
          update={update}
        >
          {!online && <p className="text-sm text-ink-faint">{t('show.offline')}</p>}
          {failed && (
            <>
              <Problem>
                {t('settingsFailed')} {errorText(settings.error)}
              </Problem>
              <Button
                kind="secondary"
                size="sm"
                icon="sync"
                busy={settings.isFetching}
                onClick={() => void settings.refetch()}
              >
                {t('shell:retry')}
              </Button>
            </>
          )}
        </SettingSwitch>
      </Card>
    </div>
  );
}
