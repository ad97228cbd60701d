import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { classes } from '#web/shared/ui/classes.ts';
import { otherAuthors } from './map-attribution.ts';
import type { Streets } from './map-config.ts';

interface MapAttributionProps {
  streets: Streets | null;
  className?: string;
}

const COPYRIGHT_URL = 'https://www.openstreetmap.org/copyright';

/** The map's authors, always visible; links to the licence, as OpenStreetMap requires. */
export function MapAttribution({ streets, className }: MapAttributionProps) {
  const { t } = useTranslation('sport-centers');
  const others = streets ? otherAuthors(streets.attribution) : '';
  return (
    <p
      className={classes(
        'w-fit max-w-full rounded-sm bg-surface px-1.5 text-attribution leading-[1.64] text-ink-soft',
        className,
      )}
    >
      <a href={COPYRIGHT_URL} target="_blank" rel="noopener noreferrer">
        {t('attribution')}
      </a>
      {others && ` · ${others}`}
    </p>
  );
}
