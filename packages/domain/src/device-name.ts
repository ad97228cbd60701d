/** Order matters: Edge and Opera also say Chrome, Chrome also says Safari. */
const BROWSERS: readonly [RegExp, string][] = [
  [/\bEdg(A|iOS)?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(Firefox|FxiOS)\//, 'Firefox'],
  [/\b(Chrome|CriOS|HeadlessChrome)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
];
/** Order matters: iPhone and iPad also say Mac OS X, Android also says Linux. */
const SYSTEMS: readonly [RegExp, string][] = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b/, 'Mac'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b/, 'Linux'],
];

/** Returns browser and system of a user agent, e.g. "Chrome, Android"; empty if it names neither. */
export function describeDevice(user_agent: string): string {
  const names = [findName(BROWSERS, user_agent), findName(SYSTEMS, user_agent)];
  return names.filter((name) => name !== undefined).join(', ');
}

function findName(table: readonly [RegExp, string][], user_agent: string): string | undefined {
  return table.find(([pattern]) => pattern.test(user_agent))?.[1];
}
