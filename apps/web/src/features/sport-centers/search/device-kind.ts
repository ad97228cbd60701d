export type DeviceKind = 'ios' | 'android' | 'desktop';

/**
 * The kind of device, because settings are in different places. An iPad identifies as a Mac, but has a touch screen.
 */
export function deviceKind(user_agent: string, touch_points: number): DeviceKind {
  if (/iPhone|iPad/.test(user_agent) || (/Macintosh/.test(user_agent) && touch_points > 1)) return 'ios';
  return /Android/.test(user_agent) ? 'android' : 'desktop';
}
