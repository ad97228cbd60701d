interface Surroundings {
  /** A development build. */
  dev: boolean;
  hostname: string;
  /** Switched on by whoever develops. */
  enabled: boolean;
}

/** Whether the demo-user switch is there: in development, on this very machine, and only where it was asked for. */
export function isDemoOffered({ dev, hostname, enabled }: Surroundings): boolean {
  return dev && enabled && ['localhost', '127.0.0.1', '[::1]'].includes(hostname);
}
