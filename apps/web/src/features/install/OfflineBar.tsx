import { useSyncExternalStore } from 'react';
import { reachability } from '#web/shared/api/client.ts';
import { useOnline } from '#web/shared/device/online.ts';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { Icon } from '#web/shared/ui/icons/Icon.tsx';

/** Shown while the network or the server is not reachable. */
export function OfflineBar() {
  const { t } = useTranslation('shell');
  const online = useOnline();
  const is_server_reachable = useSyncExternalStore(reachability.subscribe, reachability.isReached, () => true);
  return (
    <div role="status" className="bg-ink text-page">
      {(!online || !is_server_reachable) && (
        <p className="flex items-center justify-center gap-2 px-4 pt-[max(8px,env(safe-area-inset-top))] pb-2 text-center text-sm font-medium">
          <Icon name="offline" size={18} className="shrink-0" />
          {t(online ? 'unreached' : 'offline')}
        </p>
      )}
    </div>
  );
}
