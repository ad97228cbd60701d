import { Component, type ReactNode } from 'react';
import { CodeMissingError } from '../router/page.ts';
import { ErrorScreen } from './ErrorScreen.tsx';

interface ScreenBoundaryProps {
  /** Another address is another screen, which may well come. */
  path: string;
  children: ReactNode;
}

/** Where the code of a screen does not come, what stands around it stays. Whatever else breaks is the app's affair. */
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
    if (error instanceof CodeMissingError) error.forget();
    this.setState({ error: null });
  };

  override render() {
    const { error } = this.state;
    if (error === null) return this.props.children;
    if (!(error instanceof CodeMissingError)) throw error;
    return <ErrorScreen onRetry={this.#retry} />;
  }
}
