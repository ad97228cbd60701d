/** Message of a service worker that has no room to be installed; `is_first`: no older worker is installed either. */
export const NO_ROOM = 'NO_ROOM';
