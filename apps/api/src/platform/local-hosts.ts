import ipaddr from 'ipaddr.js';

/** Addresses and domains that exist in a local network only, so that no public CA issues certificates for them. */
export const LOCAL_SUBNETS = [
  '10.0.0.0/8',
  '172.16.0.0/12',
  '192.168.0.0/16',
  '169.254.0.0/16',
  '100.64.0.0/10',
  '127.0.0.0/8',
];
export const LOCAL_DOMAINS = ['localhost', 'local', 'lan', 'home.arpa', 'internal'];

const subnets = LOCAL_SUBNETS.map((subnet) => ipaddr.IPv4.parseCIDR(subnet));

/** Returns whether a host name or IPv4 address exists in a local network only. */
export function isLocalHost(host: string): boolean {
  if (ipaddr.IPv4.isValidFourPartDecimal(host)) {
    const address = ipaddr.IPv4.parse(host);
    return subnets.some((subnet) => address.match(subnet));
  }
  return LOCAL_DOMAINS.some((domain) => host === domain || host.endsWith(`.${domain}`));
}

/** Browsers trust these hosts without https. `hostname` as in a URL, IPv6 in brackets. */
export function isLoopbackHost(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '127.0.0.1' || hostname === '[::1]';
}
