export type DeviceKind = 'ios' | 'android' | 'desktop';

/** Where a device keeps its switches differs; what is said about them too. An iPad calls itself a Mac, and has fingers. */
export function deviceKind(user_agent: string, touch_points: number): DeviceKind {
  if (/iPhone|iPad/.test(user_agent) || (/Macintosh/.test(user_agent) && touch_points > 1)) return 'ios';
  return /Android/.test(user_agent) ? 'android' : 'desktop';
}
