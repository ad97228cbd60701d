import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { useGoBack } from '#web/shared/navigation/use-go-back.ts';
import { BrandMark } from '#web/shared/ui/BrandMark.tsx';
import { Card } from '#web/shared/ui/Card.tsx';
import { Screen } from '#web/shared/ui/Screen.tsx';

/**
 * Files of the build, fetched online only: the offline cache of an installed app keeps its room for files that it needs
 * offline.
 */
const LICENCE_FILE = '/license.txt';
const THIRD_PARTY_FILE = '/third-party-licenses.txt';

const ODBL = { licence: 'ODbL 1.0', licence_href: 'https://opendatacommons.org/licenses/odbl/1-0/' };

/** The sources of the data that the app shows. `part` names the source's text; `licence` null: in the public domain. */
export const SOURCES = [
  {
    part: 'streets',
    name: '© OpenStreetMap contributors',
    href: 'https://www.openstreetmap.org/copyright',
    ...ODBL,
  },
  {
    part: 'names',
    name: 'GeoNames',
    href: 'https://www.geonames.org/',
    licence: 'CC BY 4.0',
    licence_href: 'https://creativecommons.org/licenses/by/4.0/',
  },
  {
    part: 'translations',
    name: 'Unicode CLDR',
    href: 'https://cldr.unicode.org/',
    licence: 'Unicode License v3',
    licence_href: 'https://www.unicode.org/license.txt',
  },
  {
    part: 'world',
    name: 'Natural Earth',
    href: 'https://www.naturalearthdata.com/',
    licence: null,
    licence_href: 'https://www.naturalearthdata.com/about/terms-of-use/',
  },
  {
    part: 'zones',
    name: 'timezone-boundary-builder, © OpenStreetMap contributors',
    href: 'https://github.com/evansiroky/timezone-boundary-builder',
    ...ODBL,
  },
  {
    part: 'font',
    name: 'Figtree',
    href: 'https://github.com/erikdkennedy/figtree',
    licence: 'SIL OFL 1.1',
    licence_href: 'https://openfontlicense.org/',
  },
] as const;

/** What this app is, under which licence, and whose software and data are in it. */
export function AboutPage() {
  const { t } = useTranslation('about');
  return (
    <main className="flex min-w-0 flex-1 flex-col">
      <Screen title={t('title')} onBack={useGoBack('/')}>
        <div className="mx-auto flex w-full max-w-[560px] flex-col gap-4">
          <Card className="flex items-center gap-4">
            <BrandMark size={56} className="shrink-0 text-ink" />
            <div>
              <p className="text-xl font-bold">Sendlap</p>
              <p className="figures text-ink-soft">{t('version', { version: import.meta.env.VITE_VERSION })}</p>
            </div>
          </Card>
          <Card className="flex flex-col gap-3">
            <p>{t('text')}</p>
            <ExternalLink href={LICENCE_FILE} text={t('licence')} />
            <ExternalLink href={THIRD_PARTY_FILE} text={t('others')} />
          </Card>
          <Card as="section">
            <h2 className="font-semibold">{t('data')}</h2>
            <dl className="mt-2 flex flex-col gap-3">
              {SOURCES.map(({ part, name, licence, href, licence_href }) => (
                <div key={part}>
                  <dt className="text-sm text-ink-soft">{t(part)}</dt>
                  <dd>
                    <ExternalLink href={href} text={name} /> ·{' '}
                    <ExternalLink href={licence_href} text={licence ?? t('publicDomain')} />
                  </dd>
                </div>
              ))}
            </dl>
          </Card>
        </div>
      </Screen>
    </main>
  );
}

function ExternalLink({ href, text }: { href: string; text: string }) {
  return (
    <a href={href} target="_blank" rel="noopener noreferrer" className="font-medium text-accent-ink underline">
      {text}
    </a>
  );
}
