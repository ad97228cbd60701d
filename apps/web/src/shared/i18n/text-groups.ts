/** The nouns of the sign-in screen. In English they are part of the first script. */
export const FIRST_NOUNS = ['shell', 'auth'] as const;
/**
 * The nouns whose texts share a file. Any other noun has a file of its own: its screens need the server (loads of areas,
 * claims, set-up, management), and the worker does not precache them.
 */
export const TEXT_GROUPS: Record<string, readonly string[]> = {
  start: [...FIRST_NOUNS, 'errors', 'install', 'about'],
  home: ['dashboard', 'activities', 'history', 'leaderboards', 'badges', 'outbox', 'tour'],
  codes: ['qr', 'proofs', 'kiosk'],
  people: ['users', 'friends', 'chats', 'notifications', 'sport-centers', 'center-search', 'locations', 'offline'],
};

/** Returns the name of the file that holds a noun's texts. */
export function textFileOf(noun: string): string {
  return Object.keys(TEXT_GROUPS).find((name) => TEXT_GROUPS[name]?.includes(noun)) ?? noun;
}
