import './app/styles.css';
import { createRoot } from 'react-dom/client';
import { App } from './app/App.tsx';
import { startNavigation } from './app/router/navigation.ts';
import { preloadScreen } from './app/SignedInFrame.tsx';
import { session } from './shared/api/client.ts';
import { captureInstallOffer } from './shared/device/install-prompt.ts';
import { updateToolbarColor } from './shared/device/theme.ts';
import { installTrustedTypesPolicy } from './shared/device/trusted-types.ts';
import { startI18n } from './shared/i18n/i18n.ts';
import { isAuthPath, isKioskPath } from './shared/paths.ts';

installTrustedTypesPolicy();
captureInstallOffer();
updateToolbarColor();
startNavigation();
// Registered here, not where keys are made: a user may be signed out before that code has loaded.
session.onSignedOut(async () => (await import('./app/session/drop-user.ts')).dropUser());
// In parallel with the texts: the session decides which screen is shown first.
if (!isAuthPath(location.pathname) && !isKioskPath(location.pathname)) void session.start();
else void session.finishLogout();
addEventListener('online', () => void session.finishLogout());

const root = document.getElementById('root');
// Not awaited: with a top-level await in any module, the bundler would leave many small chunks apart.
void startI18n().then(() => {
  preloadScreen(document.documentElement.dataset.shell, location.pathname);
  if (root) createRoot(root).render(<App />);
});
