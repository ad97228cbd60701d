import { Component, type ErrorInfo, type ReactNode } from 'react';
import { NoUserError } from '#web/shared/api/use-session.ts';
import { isKioskPath, PATHS } from '#web/shared/paths.ts';
import { ErrorScreen } from './ErrorScreen.tsx';

/** At a kiosk nobody stands who would press a button. */
const KIOSK_RELOAD_MS = 15_000;

type Failed = 'nothing' | 'screen' | 'no-user';

/** Catches what broke while rendering; the rest of what is saved on the device is untouched by it. */
export class ErrorBoundary extends Component<{ children: ReactNode }, { failed: Failed }> {
  override state: { failed: Failed } = { failed: 'nothing' };

  static getDerivedStateFromError(error: unknown): { failed: Failed } {
    return { failed: error instanceof NoUserError ? 'no-user' : 'screen' };
  }

  override componentDidCatch(error: unknown, info: ErrorInfo) {
    console.error(error, info.componentStack);
    if (isKioskPath(location.pathname)) setTimeout(() => location.reload(), KIOSK_RELOAD_MS);
    // Loaded anew, for a screen without its user says that the state of this page can't be trusted.
    if (error instanceof NoUserError) location.replace(`${PATHS.login}?error=${encodeURIComponent(error.message)}`);
  }

  override render() {
    if (this.state.failed === 'screen') return <ErrorScreen />;
    return this.state.failed === 'nothing' ? this.props.children : null;
  }
}
