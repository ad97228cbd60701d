import { Component, type ErrorInfo, type ReactNode } from 'react';
import { NoUserError } from '#web/shared/api/use-session.ts';
import { isKioskPath, PATHS } from '#web/shared/paths.ts';
import { ErrorScreen } from './ErrorScreen.tsx';

/** At a kiosk there is no user to press a button, so the page reloads itself. */
const KIOSK_RELOAD_MS = 15_000;

type FailureKind = 'nothing' | 'screen' | 'no-user';

/** Catches rendering errors; data saved on the device is not affected. */
export class ErrorBoundary extends Component<{ children: ReactNode }, { failed: FailureKind }> {
  override state: { failed: FailureKind } = { failed: 'nothing' };

  static getDerivedStateFromError(error: unknown): { failed: FailureKind } {
    return { failed: error instanceof NoUserError ? 'no-user' : 'screen' };
  }

  override componentDidCatch(error: unknown, info: ErrorInfo) {
    console.error(error, info.componentStack);
    if (isKioskPath(location.pathname)) setTimeout(() => location.reload(), KIOSK_RELOAD_MS);
    // A full page load: a signed-in screen without a user means that the page's state can't be trusted.
    if (error instanceof NoUserError) location.replace(`${PATHS.login}?error=${encodeURIComponent(error.message)}`);
  }

  override render() {
    if (this.state.failed === 'screen') return <ErrorScreen />;
    return this.state.failed === 'nothing' ? this.props.children : null;
  }
}
