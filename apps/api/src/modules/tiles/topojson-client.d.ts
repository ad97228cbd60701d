// The package has no types of its own; these are the two functions that we use, for the two objects that we read.
declare module 'topojson-client' {
  export interface Topology {
    objects: Record<string, object>;
  }
  export interface LandFeatures {
    type: 'FeatureCollection';
    features: {
      type: 'Feature';
      properties: object;
      geometry: { type: 'MultiPolygon'; coordinates: number[][][][] };
    }[];
  }
  export function feature(topology: Topology, object: object): LandFeatures;
  export function mesh(
    topology: Topology,
    object: object,
    filter?: (a: object, b: object) => boolean,
  ): { type: 'MultiLineString'; coordinates: number[][][] };
}
