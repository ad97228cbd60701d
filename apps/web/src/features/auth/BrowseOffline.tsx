import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import { useOnline } from '#web/shared/device/online.ts';
import { buttonClasses } from '#web/shared/ui/Button.tsx';

/** Tells a visitor without network that the centers saved on this device can be browsed, if there are any. */
export function BrowseOffline() {
  const { t } = useTranslation('auth');
  const online = useOnline();
  const [saved, setSaved] = useState(false);
  useEffect(() => {
    if (online) return;
    let gone = false;
    import('#web/shared/local-db/sport-centers.ts')
      .then((centers) => centers.hasSportCenters())
      .then((found) => !gone && setSaved(found))
      .catch(() => {}); // Without the code for it there is nothing to offer.
    return () => {
      gone = true;
    };
  }, [online]);
  if (online || !saved) return null;
  return (
    <div className="mt-4 text-center">
      <p className="text-[15px] text-ink-soft">{t('browseOffline')}</p>
      <Link href="/sport-centers" className={buttonClasses('quiet', 'sm')}>
        {t('browse')}
      </Link>
    </div>
  );
}
