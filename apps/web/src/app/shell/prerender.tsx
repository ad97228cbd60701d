import { renderToStaticMarkup } from 'react-dom/server';
import { Shell } from './Shell.tsx';

/** The shell as HTML, for the build. */
export function renderShell(): string {
  return renderToStaticMarkup(<Shell />);
}
