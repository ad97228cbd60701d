import { useState, useSyncExternalStore } from 'react';
import { deviceStorage } from '#web/shared/device/device-storage.ts';
import {
  acceptInstallOffer,
  hasInstallOffer,
  isIosSafari,
  subscribeToInstallOffer,
} from '#web/shared/device/install-prompt.ts';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { CornerCard } from '#web/shared/ui/CornerCard.tsx';
import { Button } from '#web/shared/ui/controls/Button.tsx';
import { Icon } from '#web/shared/ui/icons/Icon.tsx';

const DISMISSED_KEY = 'install-dismissed-at';
/** A user who dismissed the offer is asked again after a month. */
const ASK_AGAIN_AFTER_MS = 30 * 86_400_000;

/** Offers to install the app: by the browser's prompt, or with the steps for iOS Safari. */
export function InstallCard() {
  const { t } = useTranslation('install');
  const offered = useSyncExternalStore(subscribeToInstallOffer, hasInstallOffer);
  const [dismissed, setDismissed] = useState(() => wasDismissed(Date.now()));
  const ios = isIosSafari();
  if (dismissed || !(offered || ios)) return null;

  const dismiss = () => {
    deviceStorage.setItem(DISMISSED_KEY, String(Date.now()));
    setDismissed(true);
  };
  const install = () =>
    void acceptInstallOffer().then((outcome) => {
      if (outcome === 'dismissed') dismiss();
    });

  return (
    <CornerCard title={t(ios ? 'iosTitle' : 'title')}>
      <p className="mt-1 text-label text-ink-soft">{t('text')}</p>
      {ios && <IosSteps />}
      <div className="mt-4 flex gap-2">
        {!ios && (
          <Button size="sm" className="flex-1" onClick={install}>
            {t('install')}
          </Button>
        )}
        <Button size="sm" kind="quiet" onClick={dismiss}>
          {t('notNow')}
        </Button>
      </div>
    </CornerCard>
  );
}

function wasDismissed(now_ms: number): boolean {
  return now_ms - Number(deviceStorage.getItem(DISMISSED_KEY) ?? -Infinity) < ASK_AGAIN_AFTER_MS;
}

function IosSteps() {
  const { t } = useTranslation('install');
  return (
    <ol className="mt-3 flex flex-col gap-2 text-label">
      <li className="flex items-center gap-2">
        <Icon name="share" size={20} className="shrink-0 text-accent-ink" />
        {t('iosShare')}
      </li>
      <li className="flex items-center gap-2">
        <Icon name="plus" size={20} className="shrink-0 text-accent-ink" />
        <span>
          {t('iosChoose')} <strong>{t('iosAddToHome')}</strong>
        </span>
      </li>
      <li className="flex items-center gap-2">
        <Icon name="check" size={20} className="shrink-0 text-accent-ink" />
        <span>
          {t('iosConfirm')} <strong>{t('iosAdd')}</strong>
        </span>
      </li>
    </ol>
  );
}
