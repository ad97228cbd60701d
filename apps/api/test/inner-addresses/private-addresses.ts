/** Addresses that are not on the public internet, as a DNS server may return them. */
export const PRIVATE_ADDRESSES = [
  ...['127.0.0.1', '0.0.0.0', '10.0.0.1', '172.16.0.1', '192.168.1.1', '100.64.0.1', '100.100.100.200'],
  ...['169.254.169.254', '168.63.129.16', '192.0.0.192', '198.18.0.1', '224.0.0.1', '255.255.255.255'],
  ...['240.0.0.1', '192.88.99.1', '192.0.2.1', '198.51.100.1', '203.0.113.1'],
  ...[
    '::1',
    '::',
    '::ffff:127.0.0.1',
    '::ffff:169.254.169.254',
    '::127.0.0.1',
    '64:ff9b::7f00:1',
    '64:ff9b::a9fe:a9fe',
  ],
  ...['64:ff9b:1::7f00:1', '2002:7f00:1::', '2001::1', 'fe80::1', 'fc00::1', 'fd00::1', 'fd00:ec2::254', 'fec0::1'],
  ...['ff02::1', '3fff::1', '5f00::1', '2001:db8::1', '100::1'],
];

/** Hosts of URLs that mean such an address, in all ways of writing that the URL parser reads. */
export const PRIVATE_HOSTS = [
  ...PRIVATE_ADDRESSES.map((address) => (address.includes(':') ? `[${address}]` : address)),
  ...['127.1', '127.0.1', '0', '2130706433', '0x7f000001', '0x7f.1', '0x7F.0x0.0x0.0x1', '017700000001', '0177.0.0.1'],
  ...['0251.0376.0251.0376', '0xa9fea9fe', '2852039166', '169.254.169.254.', '127.0.0.1.', '%31%32%37.0.0.1'],
  ...[
    '１２７.0.0.1',
    '127。0。0。1',
    '①②⑦.0.0.1',
    '[::ffff:7f00:1]',
    '[::ffff:0:7f00:1]',
    '[0:0:0:0:0:0:0:1]',
    '[::FFFF:0:0]',
  ],
];

/** Names that are not in the public DNS. */
export const LOCAL_NAMES = [
  ...['localhost', 'localhost.', 'LOCALHOST', 'a.localhost', 'ⓛocalhost', 'router', 'printer.local', 'db.internal'],
  ...['metadata.google.internal', 'nas.lan', 'nas.home', 'git.corp', 'router.home.arpa', 'wiki.intranet', 'db'],
];

/** DNS answers of a name, one list of addresses a look-up, with a private one among them. */
export const DNS_ANSWERS: Record<string, (inner: string, outside: string) => string[][]> = {
  'always inside': (inner) => [[inner]],
  'outside and inside': (inner, outside) => [[outside, inner]],
  'inside and outside': (inner, outside) => [[inner, outside]],
};
