/** Decimals of a position that leaves the device for a search: about 100 m. */
export const SENT_POSITION_DIGITS = 3;
