// The package has no types of its own; these are the two functions that we use.
declare module 'topojson-client' {
  export interface Topology {
    objects: Record<string, object>;
  }
  export function feature(topology: Topology, object: object): GeoJSON.FeatureCollection;
  export function mesh(
    topology: Topology,
    object: object,
    filter?: (a: object, b: object) => boolean,
  ): GeoJSON.MultiLineString;
}
