interface DemoEnvironment {
  /** True in a development build. */
  dev: boolean;
  hostname: string;
  /** The developer has switched the demo user on. */
  enabled: boolean;
}

/** Whether the demo-user button is shown: only in development, on localhost, and if it is enabled. */
export function isDemoOffered({ dev, hostname, enabled }: DemoEnvironment): boolean {
  return dev && enabled && ['localhost', '127.0.0.1', '[::1]'].includes(hostname);
}
