/** The problem of a URL for which `hasEncodedPassword` is false. */
export const NOT_ENCODED =
  'cannot be read as a URL: write @ : / ? # % in its user and password as percent codes, p@ss as p%40ss';

/**
 * False for an address whose user or password holds `/`, `?` or `#` as they are: a program that reads it takes a part of the
 * password for port, path or database, and may print it. An empty host is the local socket.
 */
export function hasEncodedPassword(text: string): boolean {
  const [, authority = '', rest = ''] = /^\w+:\/\/([^/?#]*)(.*)$/s.exec(text) ?? [];
  // A parameter of the address, such as `user`, may hold an `@`.
  const before_parameters = rest.split(/\?[a-z_]+=/i)[0];
  const is_cut = authority.includes(':') && before_parameters?.includes('@');
  return !is_cut && URL.parse(text.replace('@/', '@localhost/')) !== null;
}
