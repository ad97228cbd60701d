/** What the sign-in screen tells whoever just deleted their account; it takes it away when it has. */
export function leaveDeletionNotice(): void {
  try {
    sessionStorage.setItem('door-notice', 'account_deleted');
  } catch {
    // Then the sign-in screen says nothing special.
  }
}
