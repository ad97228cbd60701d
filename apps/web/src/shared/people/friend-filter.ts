/** From more friends than this on, a list of them has a filter. */
export const FRIEND_FILTER_THRESHOLD = 10;
