import type { ReactNode } from 'react';
import type { useUpdateBoardVisibility } from '#web/shared/data/settings.ts';
import { useOnline } from '#web/shared/device/online.ts';
import { useErrorText } from '#web/shared/i18n/use-error-text.ts';
import { Problem } from './Problem.tsx';
import { Switch } from './Switch.tsx';
import { useOptimisticValue } from './use-optimistic-value.ts';

interface SettingSwitchProps {
  label: string;
  description: string;
  /** null: unknown, so no switch is shown. */
  value: boolean | null;
  /** The settings were loaded, so this one can be changed. */
  can_change: boolean;
  update: Pick<ReturnType<typeof useUpdateBoardVisibility>, 'mutate' | 'isError' | 'error'>;
  /** Shown between the switch and the error. */
  children?: ReactNode;
}

/** A setting on the server, with an optimistic update that is rolled back if the server refuses it. */
export function SettingSwitch({ label, description, value, can_change, update, children }: SettingSwitchProps) {
  const online = useOnline();
  const errorText = useErrorText();
  const [pending_value, choose] = useOptimisticValue(update.mutate);
  const checked = pending_value ?? value;
  return (
    <>
      {checked !== null && (
        <Switch
          label={label}
          description={description}
          checked={checked}
          // Not disabled while it is being sent: a disabled switch would lose the focus.
          disabled={!can_change || !online}
          busy={pending_value !== null}
          onChange={choose}
        />
      )}
      {children}
      {update.isError && <Problem>{errorText(update.error)}</Problem>}
    </>
  );
}
