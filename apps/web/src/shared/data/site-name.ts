/** The readable part of a web address: 'climbat.com' for 'https://www.climbat.com/en/'. */
export function siteName(url: string): string {
  return new URL(url).hostname.replace(/^www\./, '');
}
