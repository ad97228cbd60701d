import type { SportCenter } from '@sendlap/contract/sport-centers.ts';
import { useTranslation } from 'react-i18next';
import { buttonClasses } from '#web/shared/ui/Button.tsx';
import { Card } from '#web/shared/ui/Card.tsx';
import { Icon } from '#web/shared/ui/Icon.tsx';
import type { IconName } from '#web/shared/ui/icon-paths.ts';
import { calmCase } from './calm-case.ts';
import { directionsUrl, phoneUrl, webUrl } from './contact-links.ts';

/** Where it is and how to get there, call there, read about it. */
export function CenterContact({ center }: { center: SportCenter }) {
  const { t } = useTranslation('sport-centers');
  const { is_private } = center;
  const address = center.address && calmCase(center.address);
  const city = center.city && calmCase(center.city);
  const place = [address, address && city && address.includes(city) ? null : city].filter(Boolean).join(', ');
  const phone = phoneUrl(center.phone);
  const web = webUrl(center.url);
  return (
    <Card as="section" className="flex flex-col gap-4">
      <div>
        <h2 className="text-[15px] font-medium text-ink-faint">{t('center.address')}</h2>
        <p className="mt-0.5 text-[17px]">{place || t('center.noAddress')}</p>
        {is_private === null && <p className="mt-2 text-[15px] text-ink-soft">{t('center.accessUnknown')}</p>}
      </div>
      <div className="grid grid-cols-[repeat(auto-fit,minmax(96px,1fr))] gap-2">
        <ContactLink
          href={directionsUrl(center, navigator.userAgent)}
          icon="directions"
          text={t('center.directions')}
        />
        {phone && <ContactLink href={phone} icon="phone" text={t('center.call')} />}
        {web && <ContactLink href={web} icon="link" text={t('center.website')} />}
      </div>
    </Card>
  );
}

function ContactLink({ href, icon, text }: { href: string; icon: IconName; text: string }) {
  const isOutside = href.startsWith('http');
  return (
    <a
      href={href}
      {...(isOutside ? { target: '_blank', rel: 'noopener noreferrer' } : {})}
      className={`${buttonClasses('secondary', 'sm')} flex-col gap-0.5! px-2! py-2.5`}
    >
      <Icon name={icon} size={22} />
      {text}
    </a>
  );
}
