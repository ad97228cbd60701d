/**
 * The text, where it is the address of a web page that may become a link; else null: another scheme (javascript:, mail), one
 * without two slashes and a host, which a browser could read as a path of our own pages, or one with a user or a password,
 * which looks like another host's.
 */
export function readWebAddress(text: string): string | null {
  if (!/^https?:\/\/[^/\\]/i.test(text)) return null;
  const url = URL.parse(text);
  return url?.hostname.includes('.') && !url.username && !url.password ? text : null;
}
