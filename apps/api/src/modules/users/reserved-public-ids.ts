/** Nobody may pass for the app, its people, or an address of it. Separators do not count: "ad.min" is "admin". */
const RESERVED = new Set(
  [
    'admin administrator root system operator moderator mod staff team official security abuse postmaster webmaster',
    'support help helpdesk info contact service billing press legal privacy terms about status news feedback',
    'me you self myself friend friends user users guest anonymous anyone everyone nobody somebody unknown',
    'athlete athletes referee referees kiosk kiosks center centers sportcenter sportcenters coach judge',
    'null undefined none nil nan true false test tests example demo deleted deleteduser removed erased',
    'api app auth login logout signin signout signup register oidc oauth settings profile dashboard leaderboards ranks',
    'activities chats chat notifications badges devices events tiles search request requests pending blocks reports',
    'atleta deportista arbitro ayuda soporte administrador usuario amigo amigos yo nadie todos',
  ].flatMap((line) => line.split(' ')),
);
const OWN_NAME = 'sendlap';

/** Whether an id that looks right can still not be anybody's: reserved, with our name in it, or of separators only. */
export function isReservedPublicId(public_id: string): boolean {
  const letters = public_id.replaceAll(/[_.-]/g, '');
  return letters === '' || letters.includes(OWN_NAME) || RESERVED.has(letters);
}
