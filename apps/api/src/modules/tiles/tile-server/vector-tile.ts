const VARINT = 0;
const FIXED_64 = 1;
const BYTES = 2;
const FIXED_32 = 5;
const LAYER_FIELD = 3;
const NAME_FIELD = 1;

/** Layers that only one schema has, some of them at every zoom. */
const SCHEMAS = {
  openmaptiles: ['transportation', 'place', 'boundary', 'landcover', 'water_name'],
  protomaps: ['roads', 'earth', 'places'],
};

export type MapSchema = keyof typeof SCHEMAS;

/** Returns the schema whose layers these are; undefined if they are of neither. */
export function findSchema(layers: readonly string[]): MapSchema | undefined {
  const has = (schema: MapSchema) => SCHEMAS[schema].some((layer) => layers.includes(layer));
  if (has('protomaps')) return 'protomaps';
  return has('openmaptiles') ? 'openmaptiles' : undefined;
}

/** Returns the names of the layers of a vector tile (MVT), decompressed; undefined if the bytes are not one. */
export function readLayerNames(tile: Uint8Array): string[] | undefined {
  const layers = readFields(tile, LAYER_FIELD);
  const names = layers?.map((layer) => readFields(layer, NAME_FIELD)?.[0]);
  if (!names || names.includes(undefined)) return undefined;
  return names.map((name) => Buffer.from(name ?? []).toString());
}

/** Returns the values of a field of a protocol buffer; undefined if the bytes are not one. */
function readFields(message: Uint8Array, wanted: number): Uint8Array[] | undefined {
  const values: Uint8Array[] = [];
  let at = 0;
  const readVarint = (): number => {
    let value = 0;
    for (let factor = 1; factor < 2 ** 50; factor *= 128) {
      const byte = message[at++] ?? Number.NaN;
      value += (byte & 127) * factor;
      if (byte < 128) return value;
    }
    return Number.NaN;
  };
  while (at < message.length) {
    const tag = readVarint();
    const [field, wire] = [Math.floor(tag / 8), tag % 8];
    if (wire === VARINT) readVarintOrEnd();
    else if (wire === FIXED_64) at += 8;
    else if (wire === FIXED_32) at += 4;
    else if (wire === BYTES) {
      const length = readVarint();
      if (field === wanted) values.push(message.subarray(at, at + length));
      at += length;
    } else return undefined;
    if (!(at <= message.length) || field === 0) return undefined;
  }
  return values;

  function readVarintOrEnd(): void {
    while ((message[at++] ?? 0) >= 128);
  }
}
