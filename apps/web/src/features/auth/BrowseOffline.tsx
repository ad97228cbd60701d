import { useEffect, useState } from 'react';
import { Link } from 'wouter';
import { useOnline } from '#web/shared/device/online.ts';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { PATHS } from '#web/shared/paths.ts';
import { buttonClasses } from '#web/shared/ui/controls/Button.tsx';

/** Tells a visitor who is offline that the centers saved on this device can be browsed, if there are any. */
export function BrowseOffline() {
  const { t } = useTranslation('auth');
  const online = useOnline();
  const [has_saved_centers, setHasSavedCenters] = useState(false);
  useEffect(() => {
    if (online) return;
    import('#web/shared/local-db/sport-centers.ts')
      .then((centers) => centers.hasSportCenters())
      .then(setHasSavedCenters)
      .catch(() => {}); // If this code can't be loaded, nothing is offered.
  }, [online]);
  if (online || !has_saved_centers) return null;
  return (
    <div className="mb-5">
      <p className="mb-2 text-ink-soft">{t('browseOffline')}</p>
      <Link href={PATHS.sportCenters} className={buttonClasses('secondary', 'md', true)}>
        {t('browse')}
      </Link>
    </div>
  );
}
