/**
 * Seeds of worlds that once showed damage, for ever. A change of the worlds themselves gives a seed another world, so that
 * a mended fault also has a test of its own.
 */
export const KEPT_SEEDS: number[] = [];
