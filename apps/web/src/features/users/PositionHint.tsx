import { useEffect, useState } from 'react';
import { readDevicePosition, readPermission } from '#web/shared/device/device-position.ts';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { Button } from '#web/shared/ui/Button.tsx';

/** Friends see nothing until the browser gives a position: says so, and asks for it when that is wanted. */
export function PositionHint() {
  const { t } = useTranslation('users');
  const [permission, setPermission] = useState<PermissionState>('granted');
  const [isBusy, setBusy] = useState(false);
  useEffect(() => {
    void readPermission().then(setPermission);
  }, []);

  async function share(): Promise<void> {
    setBusy(true);
    try {
      await readDevicePosition();
      setPermission('granted');
    } catch {
      setPermission('denied');
    }
    setBusy(false);
  }

  if (permission === 'granted') return null;
  return (
    <div role="status" className="flex flex-col gap-2 rounded-md bg-sunken px-4 py-3 text-[0.9375rem] text-ink-soft">
      <p>{t(permission === 'prompt' ? 'presence.askPosition' : 'presence.noPosition')}</p>
      {permission === 'prompt' && (
        <Button kind="secondary" size="sm" icon="locate" busy={isBusy} onClick={() => void share()}>
          {t('presence.share')}
        </Button>
      )}
    </div>
  );
}
