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

/** Without a `timeZone`, in this device's time zone. */
export const dateFormat = createOnce<Intl.DateTimeFormatOptions, Intl.DateTimeFormat>(
  (locale, options) => new Intl.DateTimeFormat(locale, options),
  deviceTimeZone,
);

/** `readVersion`: when its value changes, all formats are created again. */
function createOnce<Options, Format>(create: (locale: string, options?: Options) => Format, readVersion = () => '') {
  const formats = new Map<string, Format>();
  let version = '';
  return (locale: string, options?: Options): Format => {
    if (version !== readVersion()) formats.clear();
    version = readVersion();
    const key = `${locale} ${JSON.stringify(options)}`;
    const format = formats.get(key) ?? create(locale, options);
    formats.set(key, format);
    return format;
  };
}
