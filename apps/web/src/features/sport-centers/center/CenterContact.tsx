import type { SportCenter } from '@sendlap/contract/sport-centers.ts';
import { extractPhoneNumbers } from '@sendlap/domain/contact-details.ts';
import { siteName } from '#web/shared/data/site-name.ts';
import { countryName } from '#web/shared/data/town-names.ts';
import { useLocale } from '#web/shared/i18n/use-language.ts';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { Card } from '#web/shared/ui/Card.tsx';
import { buttonClasses } from '#web/shared/ui/controls/Button.tsx';
import { Icon } from '#web/shared/ui/icons/Icon.tsx';
import type { IconName } from '#web/shared/ui/icons/icon-paths.ts';
import { fixAllCaps } from '../search/fix-all-caps.ts';
import { directionsAppUrl, directionsWebUrl, phoneUrl, webUrl } from './contact-links.ts';

/** The address, with directions, phone and website. */
export function CenterContact({ center }: { center: SportCenter }) {
  const { t } = useTranslation('sport-centers');
  const phone = phoneUrl(center.phone);
  const web = webUrl(center.url);
  const app = directionsAppUrl(center, navigator.userAgent);
  const route = directionsWebUrl(center);
  return (
    <Card as="section" className="flex flex-col gap-4">
      <div>
        <h2 className="text-label font-medium text-ink-faint">{t('center.address')}</h2>
        <Address center={center} />
        {center.is_private === null && <p className="mt-2 text-label text-ink-soft">{t('center.accessUnknown')}</p>}
      </div>
      <div className="grid grid-cols-[repeat(auto-fit,minmax(96px,1fr))] gap-2">
        <ContactLink href={app ?? route} icon="directions" text={t('center.directions')} />
        {phone && <ContactLink href={phone} icon="phone" text={t('center.call')} />}
        {web && <ContactLink href={web} icon="link" text={t('center.website')} />}
      </div>
      {(phone || web) && (
        <p className="figures flex flex-wrap gap-x-4 gap-y-1 text-label text-ink-soft select-text">
          {phone && center.phone && <span>{extractPhoneNumbers(center.phone)}</span>}
          {web && <span className="wrap-anywhere">{siteName(web)}</span>}
        </p>
      )}
      {app && (
        <a href={route} target="_blank" rel="noopener noreferrer" className="py-2 text-label text-accent-ink underline">
          {t('center.directionsWeb')}
        </a>
      )}
    </Card>
  );
}

/** The known parts of the address; without street and city at least the town. */
function Address({ center: { address, city, country, place_names } }: { center: SportCenter }) {
  const { t } = useTranslation('sport-centers');
  const locale = useLocale();
  const street = address && fixAllCaps(address);
  const town = city && fixAllCaps(city);
  const addressLine = [street, street && town && street.includes(town) ? null : town].filter(Boolean).join(', ');
  const countryLabel = country ? countryName(country, locale) : null;
  const [nearestTown] = place_names;
  const text = addressLine || (nearestTown ? t('center.near', { place: nearestTown }) : null);
  return (
    <p className="mt-0.5 text-body">
      {text
        ? [text, countryLabel].filter(Boolean).join(', ')
        : [t('center.noAddress'), countryLabel].filter(Boolean).join(' ')}
    </p>
  );
}

function ContactLink({ href, icon, text }: { href: string; icon: IconName; text: string }) {
  const isOutside = href.startsWith('http');
  return (
    <a
      href={href}
      {...(isOutside ? { target: '_blank', rel: 'noopener noreferrer' } : {})}
      className={`${buttonClasses('secondary', 'sm')} flex-col gap-0.5! px-2! py-2.5 only:flex-row only:gap-2!`}
    >
      <Icon name={icon} size={22} />
      {text}
    </a>
  );
}
