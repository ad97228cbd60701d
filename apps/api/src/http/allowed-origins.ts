/** Vite's development server. */
const DEVELOPMENT_ORIGIN = 'http://localhost:5173';

/** Returns the origins of our own pages: the public address and, if that is this machine, the development server. */
export function allowedOrigins(public_url: string): string[] {
  const { hostname, origin } = new URL(public_url);
  return hostname === 'localhost' ? [origin, DEVELOPMENT_ORIGIN] : [origin];
}
