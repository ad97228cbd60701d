/**
 * Seeds of worlds that once showed damage, for ever. A change of the worlds themselves gives a seed another world, so that
 * a mended fault also has a test of its own.
 */
export const KEPT_SEEDS: number[] = [
  39, 49, 57, 111, 131, 136, 434, 447, 647, 674, 890, 932, 982, 1003, 3166, 5186, 6264, 7187, 7232, 10_442, 16_407,
  20_690, 34_068,
];
