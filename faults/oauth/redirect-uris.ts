/**
 * Addresses that resemble `callback`, to a person, to a check by prefix or by host, or to a URL parser. `callback`: the
 * allowed address, e.g. 'http://localhost:8000/auth/callback'.
 */
export function lookAlikes(callback: string): string[] {
  const { host, hostname, port, origin } = new URL(callback);
  const path = '/auth/callback';
  return [
    ...OTHER_HOUSES,
    // The host
    `https://${host}${path}`,
    `${origin}@evil.example${path}`,
    `http://${hostname}:secret@evil.example${path}`,
    `http://evil.example\\@${host}${path}`,
    `http://user@${host}${path}`,
    `${origin}.evil.example${path}`,
    `http://${hostname}.evil.example:${port}${path}`,
    `http://${hostname}.:${port}${path}`,
    `http://${hostname.toUpperCase()}:${port}${path}`,
    `HTTP://${host}${path}`,
    `http://127.0.0.1:${port}${path}`,
    `http://[::1]:${port}${path}`,
    `http://[::ffff:127.0.0.1]:${port}${path}`,
    `http://0x7f000001:${port}${path}`,
    `http://2130706433:${port}${path}`,
    `http://l\u043ecalhost:${port}${path}`,
    `http://xn--lcalhost-8rd:${port}${path}`,
    `http://ⓛocalhost:${port}${path}`,
    `http://${hostname}${path}`,
    `http://${hostname}:${Number(port) + 1}${path}`,
    `http://${hostname}:0${port}${path}`,
    `http://${hostname}:${port}0${path}`,
    // The path and what comes after it
    origin,
    `${origin}/`,
    `${callback}/`,
    `${callback}/../../evil`,
    `${callback}/..%2f..%2fevil`,
    `${origin}/evil/..${path}`,
    `${origin}/.${path}`,
    `${origin}/${path}`,
    `${origin}/auth%2Fcallback`,
    `${origin}/auth/callbac%6b`,
    `${origin}\\auth\\callback`,
    `${origin}/AUTH/callback`,
    `${callback};jsessionid=1`,
    `${callback}?next=https://evil.example`,
    `${callback}?`,
    `${callback}#`,
    `${callback}#@evil.example`,
    `${callback}%00`,
    `${callback}\u0000`,
    `${callback}%0d%0aLocation:%20https://evil.example`,
    `${callback}\r\nLocation: https://evil.example`,
    `${callback} `,
    ` ${callback}`,
    `\t${callback}`,
    `${callback},https://evil.example`,
    callback.slice(0, -1),
    `//${host}${path}`,
    path,
    encodeURIComponent(callback),
    callback.repeat(60),
  ];
}

const OTHER_HOUSES = [
  '',
  ' ',
  '/',
  '//evil.example',
  '///evil.example',
  '\\\\evil.example',
  'https://evil.example',
  'https://evil.example/auth/callback',
  'javascript:alert(1)',
  'javascript://localhost/%0aalert(1)',
  'data:text/html,<script>alert(1)</script>',
  'blob:http://localhost/1',
  'file:///auth/callback',
  'ftp://localhost/auth/callback',
  'sendlap://auth/callback',
  'urn:ietf:wg:oauth:2.0:oob',
  'null',
  '*',
];

/** A careless check that does not compare the whole address: the control arm. */
export function passesSloppyCheck(address: string, callback: string): boolean {
  const { hostname, origin } = new URL(callback);
  if (address.startsWith(origin) || address.includes(hostname)) return true;
  return URL.canParse(address, callback) && new URL(address, callback).pathname.endsWith('/auth/callback');
}
