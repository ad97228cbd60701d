import { useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react';
import { useLanguage } from '#web/shared/i18n/use-language.ts';
import { useUnits } from '#web/shared/units/chosen-units.ts';
import type { MapCamera } from '../search/use-center-search.ts';
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
  /** The street map that the server offers beyond the world; null: none. */
  streets: Streets | null;
  /** Compared by identity: the same object again does not move the map. */
  camera: MapCamera | null;
  inset?: Inset;
  /** A static picture that does not pan. */
  is_still?: boolean;
  /** Out of sight for a while. */
  is_hidden?: boolean;
  onSelect?: (center_id: string) => void;
  onMove?: (view: MapView) => void;
  /** Called with the map's commands once they exist. */
  onReady?: (commands: Pick<MapController, 'zoom'>) => void;
}

const NO_INSET: Inset = { top: 0, bottom: 0 };

/** The map. MapLibre is managed outside React and follows the props. */
export function CenterMap({ label, streets, camera, inset = NO_INSET, is_still = false, ...props }: CenterMapProps) {
  const { centers, selected, me, origin, is_hidden = false } = props;
  const element = useRef<HTMLDivElement>(null);
  const [map, setMap] = useState<MapController | null>(null);
  const hasInitialView = useRef(false);
  const select = useEffectEvent((id: string) => props.onSelect?.(id));
  const move = useEffectEvent((view: MapView) => props.onMove?.(view));
  const notifyReady = useEffectEvent((commands: MapController) => props.onReady?.(commands));
  const language = useLanguage();
  const units = useUnits();
  const initialLook = useEffectEvent(() => ({ language, units, streets }));

  useEffect(() => {
    if (!element.current) return;
    const controller = createMapController({
      container: element.current,
      label,
      look: initialLook(),
      is_interactive: !is_still,
      onSelect: (id) => select(id),
      onMove: (view) => move(view),
    });
    setMap(controller);
    hasInitialView.current = false;
    notifyReady(controller);
    return () => controller.destroy();
  }, [label, is_still]);

  // Before it is painted, and before it moves.
  useLayoutEffect(() => {
    if (!is_hidden) map?.fit();
  }, [map, is_hidden]);
  useEffect(() => map?.setContent({ centers, selected, me, origin }), [map, centers, selected, me, origin]);
  useEffect(() => map?.setInset(inset), [map, inset]);
  useEffect(() => {
    if (!map || !camera) return;
    // The first view is set without animation; later ones are animated.
    if (!hasInitialView.current || !camera.is_already_visible) map.show(camera.box, hasInitialView.current);
    hasInitialView.current = true;
  }, [map, camera]);
  useEffect(() => {
    if (!map) return;
    map.setLook({ language, units, streets });
    return onColorSchemeChange(() => map.setLook({ language, units, streets }));
  }, [map, language, units, streets]);

  return <div ref={element} className="size-full bg-swim-tint" />;
}

/** Calls `listener` when the colour scheme changes, by the device or by the app's own switch. */
function onColorSchemeChange(listener: () => void): () => void {
  const scheme = matchMedia('(prefers-color-scheme: dark)');
  const observer = new MutationObserver(listener);
  scheme.addEventListener('change', listener);
  observer.observe(document.documentElement, { attributeFilter: ['data-theme'] });
  return () => {
    scheme.removeEventListener('change', listener);
    observer.disconnect();
  };
}
