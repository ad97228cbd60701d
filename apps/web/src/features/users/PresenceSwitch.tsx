import { useEffect, useState } from 'react';
import { useUser } from '#web/shared/api/use-session.ts';
import { readDevicePosition, readPermission } from '#web/shared/data/device-position.ts';
import { useSettings } from '#web/shared/data/settings.ts';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { Button } from '#web/shared/ui/controls/Button.tsx';
import { SettingSwitch } from '#web/shared/ui/controls/SettingSwitch.tsx';
import { useUpdatePresence } from './queries.ts';

/** Whether friends may see at which center the user trains: off by default; the text lists exactly what friends see. */
export function PresenceSwitch() {
  const { t } = useTranslation('users');
  const user = useUser();
  const { data, is_copy } = useSettings(user.id);
  const update = useUpdatePresence(user.id);
  return (
    <div className="flex flex-col gap-2">
      <SettingSwitch
        label={t('presence.label')}
        description={t('presence.text')}
        value={data?.presence ?? false}
        can_change={data !== undefined && !is_copy}
        update={update}
      >
        <p className="text-sm text-ink-faint">{t('presence.details')}</p>
        {data?.presence && <LocationPermissionHint />}
      </SettingSwitch>
    </div>
  );
}

/** Friends see nothing until the browser has the location permission: says so, and asks for it on a tap. */
function LocationPermissionHint() {
  const { t } = useTranslation('users');
  const [permission, setPermission] = useState<PermissionState>('granted');
  const [isBusy, setBusy] = useState(false);
  useEffect(() => {
    void readPermission().then(setPermission);
  }, []);

  async function requestPermission(): Promise<void> {
    setBusy(true);
    try {
      await readDevicePosition();
      setPermission('granted');
    } catch (reason) {
      // A position that did not come says nothing about the permission, and a closed question can be asked again.
      const is_refused = reason === 'blocked' || (reason === 'denied' && !('permissions' in navigator));
      setPermission(is_refused ? 'denied' : await readPermission());
    }
    setBusy(false);
  }

  if (permission === 'granted') return null;
  return (
    <div role="status" className="flex flex-col gap-2 rounded-md bg-sunken px-4 py-3 text-label text-ink-soft">
      <p>{t(permission === 'prompt' ? 'presence.askPosition' : 'presence.noPosition')}</p>
      {permission === 'prompt' && (
        <Button kind="secondary" size="sm" icon="locate" busy={isBusy} onClick={() => void requestPermission()}>
          {t('presence.share')}
        </Button>
      )}
    </div>
  );
}
