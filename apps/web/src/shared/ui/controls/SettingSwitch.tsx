import type { ReactNode } from 'react';
import type { useUpdateBoards } from '#web/shared/data/settings.ts';
import { useOnline } from '#web/shared/device/online.ts';
import { useErrorText } from '#web/shared/i18n/use-error-text.ts';
import { Problem } from './Problem.tsx';
import { Switch } from './Switch.tsx';
import { useWish } from './use-wish.ts';

interface SettingSwitchProps {
  label: string;
  description: string;
  /** null: not known, and no switch. */
  value: boolean | null;
  /** The settings were read, so that this one can be changed. */
  can_change: boolean;
  update: Pick<ReturnType<typeof useUpdateBoards>, 'mutate' | 'isError' | 'error'>;
  /** Between the switch and why it could not be changed. */
  children?: ReactNode;
}

/** A setting that the server keeps: changed at once to the eye, and back where the server did not take it. */
export function SettingSwitch({ label, description, value, can_change, update, children }: SettingSwitchProps) {
  const online = useOnline();
  const errorText = useErrorText();
  const [wish, choose] = useWish(update.mutate);
  const checked = wish ?? value;
  return (
    <>
      {checked !== null && (
        <Switch
          label={label}
          description={description}
          checked={checked}
          // Not while it is sent: what is disabled loses the focus.
          disabled={!can_change || !online}
          busy={wish !== null}
          onChange={choose}
        />
      )}
      {children}
      {update.isError && <Problem>{errorText(update.error)}</Problem>}
    </>
  );
}
