import { Component, type ReactNode } from 'react';

interface MapBoundaryProps {
  message: string;
  children: ReactNode;
}

/** A missing WebGL or a map that failed to load must not break the rest of the screen. */
export class MapBoundary extends Component<MapBoundaryProps, { has_failed: boolean }> {
  override state = { has_failed: false };

  static getDerivedStateFromError() {
    return { has_failed: true };
  }

  override render() {
    if (!this.state.has_failed) return this.props.children;
    return (
      <p className="grid size-full place-items-center overflow-y-auto bg-sunken px-8 pb-8 text-center text-label text-ink-soft">
        {this.props.message}
      </p>
    );
  }
}
