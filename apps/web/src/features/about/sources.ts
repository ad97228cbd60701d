/** Files of the build; read with a network, for an installed app keeps room for what it needs without one. */
export const LICENCE_FILE = '/license.txt';
export const THIRD_PARTY_FILE = '/third-party-licenses.txt';

const ODBL = { licence: 'ODbL 1.0', licence_href: 'https://opendatacommons.org/licenses/odbl/1-0/' };

/** Whose data the app shows. `part` names its text; `licence` null: in the public domain. */
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
