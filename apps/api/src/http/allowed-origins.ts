/** Vite's server, where pages come from while developing. */
const DEVELOPMENT_ORIGIN = 'http://localhost:5173';

/** Origins of our own pages: the public address and, where that is this machine, the development server. */
export function allowedOrigins(public_url: string): string[] {
  const { hostname, origin } = new URL(public_url);
  return hostname === 'localhost' ? [origin, DEVELOPMENT_ORIGIN] : [origin];
}
