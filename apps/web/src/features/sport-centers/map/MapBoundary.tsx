import { Component, type ReactNode } from 'react';
import { classes } from '#web/shared/ui/classes.ts';
import type { Inset } from './map-controller.ts';

interface MapBoundaryProps {
  message: string;
  /** What covers the map above and below; at its end are buttons. The message keeps out of all. */
  inset?: Inset;
  onFail?: () => void;
  children: ReactNode;
}

/** A missing WebGL or a map that failed to load must not break the rest of the screen. */
export class MapBoundary extends Component<MapBoundaryProps, { has_failed: boolean }> {
  override state = { has_failed: false };

  static getDerivedStateFromError() {
    return { has_failed: true };
  }

  override componentDidCatch() {
    this.props.onFail?.();
  }

  override render() {
    if (!this.state.has_failed) return this.props.children;
    const { message, inset } = this.props;
    return (
      <div className="size-full bg-sunken" style={{ paddingTop: inset?.top, paddingBottom: inset?.bottom }}>
        <p
          className={classes(
            'grid size-full content-center-safe overflow-y-auto text-center text-label text-ink-soft',
            inset ? 'pr-18 pl-6' : 'px-6',
          )}
        >
          {message}
        </p>
      </div>
    );
  }
}
