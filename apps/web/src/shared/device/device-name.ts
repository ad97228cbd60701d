const BROWSERS: readonly [RegExp, string][] = [
  [/Edg(A|iOS)?\//, 'Edge'],
  [/OPR\//, 'Opera'],
  [/SamsungBrowser\//, 'Samsung Internet'],
  [/(Firefox|FxiOS)\//, 'Firefox'],
  [/(Chrome|CriOS)\//, 'Chrome'],
  [/Safari\//, 'Safari'],
];
const SYSTEMS: readonly [RegExp, string][] = [
  [/iPhone/, 'iPhone'],
  [/iPad/, 'iPad'],
  [/Android/, 'Android'],
  [/Mac OS X/, 'Mac'],
  [/Windows/, 'Windows'],
  [/Linux|CrOS/, 'Linux'],
];

/** Returns a readable name of this device, e.g. "Chrome, Android"; never more than browser and system. */
export function deviceName(user_agent = navigator.userAgent): string {
  const names = [nameIn(BROWSERS, user_agent), nameIn(SYSTEMS, user_agent)].filter((name) => name !== undefined);
  return names.join(', ') || 'Browser';
}

function nameIn(pairs: readonly [RegExp, string][], text: string): string | undefined {
  return pairs.find(([pattern]) => pattern.test(text))?.[1];
}
