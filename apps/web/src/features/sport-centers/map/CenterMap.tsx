import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { useLanguage } from '#web/shared/i18n/use-language.ts';
import type { Camera } from '../search/use-center-search.ts';
import type { Streets } from './map-config.ts';
import {
  createMapController,
  type Inset,
  type MapContent,
  type MapController,
  type MapView,
} from './map-controller.ts';

export interface CenterMapProps extends MapContent {
  label: string;
  /** What the server can draw beyond the world; null: nothing. */
  streets: Streets | null;
  /** Looked at when its identity changes; the same again is no order. */
  camera: Camera | null;
  inset?: Inset;
  /** A picture that does not move under the finger. */
  is_still?: boolean;
  onSelect?: (center_id: string) => void;
  onMove?: (view: MapView) => void;
  /** Gives the map's own commands once they exist. */
  onReady?: (commands: Pick<MapController, 'zoom'>) => void;
}

const NO_INSET: Inset = { top: 0, bottom: 0 };

/** The map. MapLibre lives outside React; what the props say is handed to it. */
export function CenterMap({ label, streets, camera, inset = NO_INSET, is_still = false, ...props }: CenterMapProps) {
  const { centers, selected, me, origin } = props;
  const element = useRef<HTMLDivElement>(null);
  const [map, setMap] = useState<MapController | null>(null);
  const isPlaced = useRef(false);
  const select = useEffectEvent((id: string) => props.onSelect?.(id));
  const move = useEffectEvent((view: MapView) => props.onMove?.(view));
  const announce = useEffectEvent((commands: MapController) => props.onReady?.(commands));
  const language = useLanguage();
  const firstLook = useEffectEvent(() => ({ language, streets }));

  useEffect(() => {
    if (!element.current) return;
    const controller = createMapController({
      container: element.current,
      label,
      look: firstLook(),
      is_interactive: !is_still,
      onSelect: (id) => select(id),
      onMove: (view) => move(view),
    });
    setMap(controller);
    isPlaced.current = false;
    announce(controller);
    return () => controller.destroy();
  }, [label, is_still]);

  useEffect(() => map?.setContent({ centers, selected, me, origin }), [map, centers, selected, me, origin]);
  useEffect(() => map?.setInset(inset), [map, inset]);
  useEffect(() => {
    if (!map || !camera) return;
    // The first view is there at once; only later ones travel.
    if (!isPlaced.current || !camera.is_in_sight) map.show(camera.box, isPlaced.current);
    isPlaced.current = true;
  }, [map, camera]);
  useEffect(() => {
    if (!map) return;
    map.setLook({ language, streets });
    return onLookChange(() => map.setLook({ language, streets }));
  }, [map, language, streets]);

  return <div ref={element} className="size-full bg-swim-tint" />;
}

/** Calls back when light becomes dark or the other way round, by the device or by the app's own switch. */
function onLookChange(listener: () => void): () => void {
  const scheme = matchMedia('(prefers-color-scheme: dark)');
  const observer = new MutationObserver(listener);
  scheme.addEventListener('change', listener);
  observer.observe(document.documentElement, { attributeFilter: ['data-theme'] });
  return () => {
    scheme.removeEventListener('change', listener);
    observer.disconnect();
  };
}
