import type { SportCenter } from '@sendlap/contract/sport-centers.ts';
import { type BoundingBox, isInBox, type Position } from '@sendlap/domain/geo.ts';
import type { Units } from '@sendlap/domain/units.ts';
import {
  addProtocol,
  type GeoJSONSource,
  type LngLat,
  type MapGeoJSONFeature,
  Map as MapLibre,
  setWorkerUrl,
} from 'maplibre-gl';
import workerUrl from 'maplibre-gl/dist/maplibre-gl-worker.mjs?url';
import {
  CENTER_LAYER,
  CENTERS_SOURCE,
  CLUSTER_LAYER,
  ME_SOURCE,
  RINGS_SOURCE,
  SELECTED_SOURCE,
} from './map-center-layers.ts';
import type { Streets } from './map-config.ts';
import { toCenterFeatures, toMeFeatures } from './map-features.ts';
import { drawPin, PIN_PIXEL_RATIO } from './map-images.ts';
import { readMapPalette } from './map-palette.ts';
import { toRingFeatures } from './map-rings.ts';
import { buildMapStyle } from './map-style.ts';
import './map.css';
import { STREET_TILES_PATH, TILES_PATH } from '@sendlap/contract/map/tiles.ts';
import { loadTile } from '#web/shared/local-db/map-tiles.ts';
import { parseTileUrl, TILE_PROTOCOL } from './tile-url.ts';

/** px at the top and bottom of the map that are covered by other elements. */
export interface Inset {
  top: number;
  bottom: number;
}

/** The visible part of the map. */
export interface MapView {
  box: BoundingBox;
  middle: Position;
}

export interface MapContent {
  centers: readonly SportCenter[];
  selected: SportCenter | null;
  /** `accuracy_m`: accuracy radius in metres. */
  me: (Position & { accuracy_m?: number }) | null;
  /** The origin of all distances: the rings around it show the scale. */
  origin: Position | null;
}

interface MapLook {
  language: string;
  units: Units;
  /** The street map for closer zooms; null: none. */
  streets: Streets | null;
}

interface MapOptions {
  container: HTMLElement;
  /** Accessible name of the map. */
  label: string;
  look: MapLook;
  is_interactive: boolean;
  onSelect?: (center_id: string) => void;
  /** Called after the user moved the map, not after `show`. */
  onMove?: (view: MapView) => void;
}

export interface MapController {
  setContent(content: MapContent): void;
  setInset(inset: Inset): void;
  /** Fills its container, whose size may have changed since it was hidden. */
  fit(): void;
  /** Moves the map so that the box fills the area without insets. */
  show(box: BoundingBox, is_animated: boolean): void;
  zoom(by: 1 | -1): void;
  /** Redraws everything in the current colours and this look. */
  setLook(look: MapLook): void;
  destroy(): void;
}

/** The map never zooms in further than this by itself. */
const MAX_FIT_ZOOM = 14;
const MAX_STREETS_FIT_ZOOM = 16;
/** Without streets there is less to see close up. */
const MAX_ZOOM = 17;
const MAX_STREETS_ZOOM = 18;
const RINGS_END_ZOOM = 12;
const FIT_MARGIN_PX = 44;
const STILL_MARGIN_PX = 8;
const EDGE_PX = 16;
/** A pin is hit within this distance: fingers are imprecise. */
const TOUCH_PX = 14;

/** The map. Loads MapLibre's worker from our own origin; draws only data from our own server. */
export function createMapController(options: MapOptions): MapController {
  const { container, is_interactive } = options;
  setWorkerUrl(new URL(workerUrl, location.href).href);
  let content: MapContent = { centers: [], selected: null, me: null, origin: null };
  let look = options.look;
  let palette = readMapPalette(container);
  let currentKey = JSON.stringify([palette, look]);
  registerTileProtocol(new URL(import.meta.env.VITE_API_BASE ?? '', location.origin).origin);
  const map = new MapLibre({
    container,
    style: buildMapStyle({ palette, ...look }),
    interactive: is_interactive,
    attributionControl: false,
    dragRotate: false,
    pitchWithRotate: false,
    maxPitch: 0,
    maxZoom: maxZoomOf(look),
    center: [0, 30],
    zoom: 1,
    fadeDuration: matchMedia('(prefers-reduced-motion: reduce)').matches ? 0 : 200,
  });
  map.touchZoomRotate.disableRotation();
  map.keyboard.disableRotation();
  labelCanvas(map, options);

  function fill(): void {
    setData(map, CENTERS_SOURCE, toCenterFeatures(content.centers));
    setData(map, SELECTED_SOURCE, toCenterFeatures(content.selected ? [content.selected] : []));
    setData(map, ME_SOURCE, toMeFeatures(content.me));
    setData(map, RINGS_SOURCE, toRingFeatures(content.origin, look, ringsEndZoom(content.origin, look)));
  }

  map.on('style.load', fill);
  // A tile that fails to load offline needs no message: the list says that the device is offline.
  map.on('error', () => {});
  map.setMissingStyleImageResolver((id) => {
    const pin = drawPin(id, palette);
    if (pin && !map.hasImage(id)) map.addImage(id, pin, { pixelRatio: PIN_PIXEL_RATIO });
  });
  if (is_interactive) addMapListeners(map, options);

  return {
    setContent(next) {
      content = next;
      if (map.getSource(CENTERS_SOURCE)) fill();
    },
    setInset({ top, bottom }) {
      map.setPadding({ top, bottom, left: 0, right: 0 });
    },
    fit: () => void map.resize(),
    show({ west, south, east, north }, is_animated) {
      // A box across the antimeridian continues east of 180°.
      const end = east < west ? east + 360 : east;
      const animate = is_animated && !matchMedia('(prefers-reduced-motion: reduce)').matches;
      map.fitBounds([west, south, end, north], {
        padding: is_interactive ? FIT_MARGIN_PX : STILL_MARGIN_PX,
        maxZoom: look.streets ? MAX_STREETS_FIT_ZOOM : MAX_FIT_ZOOM,
        animate,
        duration: 700,
      });
    },
    zoom(by) {
      map.zoomTo(map.getZoom() + by, {}, { byUser: true });
    },
    setLook(next_look) {
      const next = readMapPalette(container);
      const nextKey = JSON.stringify([next, next_look]);
      if (nextKey === currentKey) return;
      currentKey = nextKey;
      palette = next;
      look = next_look;
      map.setMaxZoom(maxZoomOf(look));
      map.setStyle(buildMapStyle({ palette, ...look }), { diff: false });
    },
    destroy: () => map.remove(),
  };
}

/** A static map is an image, and not a Tab stop. */
function labelCanvas(map: MapLibre, { label, is_interactive }: MapOptions): void {
  const canvas = map.getCanvas();
  canvas.setAttribute('aria-label', label);
  if (is_interactive) return;
  canvas.removeAttribute('tabindex');
  canvas.setAttribute('role', 'img');
}

/** Where streets are drawn they show the scale, so rings end at this zoom. */
function ringsEndZoom(origin: Position | null, { streets }: MapLook): number | undefined {
  return origin && streets && isInBox(origin, streets.bounds) ? RINGS_END_ZOOM : undefined;
}

function maxZoomOf({ streets }: MapLook): number {
  return streets ? MAX_STREETS_ZOOM : MAX_ZOOM;
}

function setData(map: MapLibre, id: string, data: GeoJSON.FeatureCollection): void {
  void map.getSource<GeoJSONSource>(id)?.setData(data);
}

function addMapListeners(map: MapLibre, { onSelect, onMove }: MapOptions): void {
  map.on('click', ({ point }) => {
    const around: [[number, number], [number, number]] = [
      [point.x - TOUCH_PX, point.y - TOUCH_PX],
      [point.x + TOUCH_PX, point.y + TOUCH_PX],
    ];
    const [hit] = map.queryRenderedFeatures(around, { layers: [CENTER_LAYER, CLUSTER_LAYER] });
    if (hit?.layer.id === CENTER_LAYER) onSelect?.(String(hit.properties.id));
    else if (hit) void openCluster(map, hit);
  });
  map.on('mousemove', ({ point }) => {
    const isOver = map.queryRenderedFeatures(point, { layers: [CENTER_LAYER, CLUSTER_LAYER] }).length > 0;
    map.getCanvas().style.cursor = isOver ? 'pointer' : '';
  });
  map.on('moveend', (event) => {
    const isByUser = Boolean(event.originalEvent) || 'byUser' in event;
    if (isByUser) onMove?.(viewOf(map));
  });
}

/** Zooms in until the cluster splits. */
async function openCluster(map: MapLibre, cluster: MapGeoJSONFeature): Promise<void> {
  const zoom = await map
    .getSource<GeoJSONSource>(CENTERS_SOURCE)
    ?.getClusterExpansionZoom(cluster.properties.cluster_id);
  const { coordinates } = cluster.geometry as GeoJSON.Point;
  const [longitude = 0, latitude = 0] = coordinates;
  map.easeTo({ center: [longitude, latitude], zoom: (zoom ?? map.getZoom()) + 0.3 }, { byUser: true });
}

/** The part of the map that is not covered. */
function viewOf(map: MapLibre): MapView {
  const { top = 0, bottom = 0 } = map.getPadding();
  const { clientWidth: width, clientHeight: height } = map.getContainer();
  const northWest = map.unproject([EDGE_PX, top + EDGE_PX]);
  const southEast = map.unproject([width - EDGE_PX, Math.max(top + 2 * EDGE_PX, height - bottom - EDGE_PX)]);
  const { lng, lat } = map.getCenter().wrap();
  return { box: boxOf(northWest, southEast), middle: { latitude: lat, longitude: lng } };
}

function boxOf(northWest: LngLat, southEast: LngLat): BoundingBox {
  const isWholeWorld = southEast.lng - northWest.lng >= 360;
  return {
    west: isWholeWorld ? -180 : northWest.wrap().lng,
    east: isWholeWorld ? 180 : southEast.wrap().lng,
    north: Math.min(90, northWest.lat),
    south: Math.max(-90, southEast.lat),
  };
}

let is_registered = false;

/**
 * Serves the map's tiles from this device's copies: fresh ones without a request, old ones while offline. `base`: the
 * server's origin, e.g. https://sendlap.example.
 */
function registerTileProtocol(base: string): void {
  if (is_registered) return;
  is_registered = true;
  const roots = { world: `${base}${TILES_PATH}`, streets: `${base}${STREET_TILES_PATH}` };
  addProtocol(TILE_PROTOCOL, async ({ url }, { signal }) => {
    const { layer, zoom, x, y } = parseTileUrl(url);
    const tile = await loadTile(`${roots[layer]}/${zoom}/${x}/${y}.mvt`, zoom, x, y, signal);
    // MapLibre transfers the bytes to a worker; the copy that is being saved needs its own.
    return { data: tile.slice() };
  });
}
