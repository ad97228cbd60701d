/** Goes to another screen as a link of the app does: without a page load. */
export function followLink(path: string): void {
  history.pushState(null, '', path);
}
