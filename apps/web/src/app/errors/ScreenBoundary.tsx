import { Component, type ReactNode } from 'react';
import { ChunkLoadError } from '../router/page.ts';
import { ErrorScreen } from './ErrorScreen.tsx';

interface ScreenBoundaryProps {
  /** A new path resets the error: another screen may load. */
  path: string;
  children: ReactNode;
}

/**
 * Shows an error in place of a screen whose code failed to load, and keeps the layout around it. Rethrows other errors.
 */
export class ScreenBoundary extends Component<ScreenBoundaryProps, { error: unknown }> {
  override state: { error: unknown } = { error: null };

  static getDerivedStateFromError(error: unknown): { error: unknown } {
    return { error };
  }

  override componentDidUpdate({ path }: ScreenBoundaryProps) {
    if (path !== this.props.path && this.state.error !== null) this.#retry();
  }

  readonly #retry = () => {
    const { error } = this.state;
    if (error instanceof ChunkLoadError) error.reset();
    this.setState({ error: null });
  };

  override render() {
    const { error } = this.state;
    if (error === null) return this.props.children;
    if (!(error instanceof ChunkLoadError)) throw error;
    return <ErrorScreen onRetry={this.#retry} />;
  }
}
