import { deviceTimeZone } from '../device/time-zone.ts';

// Creating a format takes a slow phone longer than all else in a row of a list: each is created once.

export const numberFormat = createOnce<Intl.NumberFormatOptions, Intl.NumberFormat>(
  (locale, options) => new Intl.NumberFormat(locale, options),
);

export const listFormat = createOnce<Intl.ListFormatOptions, Intl.ListFormat>(
  (locale, options) => new Intl.ListFormat(locale, options),
);

export const relativeTimeFormat = createOnce<Intl.RelativeTimeFormatOptions, Intl.RelativeTimeFormat>(
  (locale, options) => new Intl.RelativeTimeFormat(locale, options),
);

/** Without a `timeZone`, in that of this device. */
export const dateFormat = createOnce<Intl.DateTimeFormatOptions, Intl.DateTimeFormat>(
  (locale, options) => new Intl.DateTimeFormat(locale, options),
  // Only a part of the key: a browser may report a zone that it does not accept.
  deviceTimeZone,
);

function createOnce<Options, Format>(create: (locale: string, options?: Options) => Format, version = () => '') {
  const formats = new Map<string, Format>();
  return (locale: string, options?: Options): Format => {
    const key = `${locale} ${version()} ${JSON.stringify(options)}`;
    const format = formats.get(key) ?? create(locale, options);
    formats.set(key, format);
    return format;
  };
}
