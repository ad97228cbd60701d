/** What one phone may show, by what its users did: to know a wrong sign-out, and a user who comes back after one. */
export function createSignInRecord() {
  let expected: string | null = null;
  /** Asked to sign in, and the page got no answer: the server may have made the session. */
  const attempted = new Set<string>();
  /** A sign-out of the expected user has begun; its page may be gone, and the server may know. */
  let may_end = false;
  /** A full disk did not keep the user. */
  let may_forget = false;
  const damage: string[] = [];

  function expect(user_id: string | null): void {
    expected = user_id;
    may_end = false;
  }

  return {
    damage,
    mayForget: () => may_forget,
    kept(is_kept: boolean): void {
      may_forget = !is_kept;
    },
    signingIn: (user_id: string) => void attempted.add(user_id),
    signedIn(user_id: string): void {
      attempted.clear();
      expect(user_id);
    },
    signingOut(): void {
      may_end = true;
    },
    signedOut(): void {
      attempted.clear();
      expect(null);
    },
    /**
     * The page knows who is signed in, and shows it. `was_forgotten`: it began while the disk had not kept the user. Returns
     * whether it shows the user of a sign-in without an answer.
     */
    look(shown: string | null, about: string, was_forgotten: boolean): boolean {
      if (shown === expected) return false;
      const is_forgotten = may_forget || was_forgotten;
      if (shown === null && !may_end && !is_forgotten) damage.push(`wrong sign-out of ${expected}, seen at: ${about}`);
      if (shown !== null && !attempted.has(shown))
        damage.push(`${shown} is back, not ${expected ?? 'signed out'}, seen at: ${about}`);
      if (shown !== null) attempted.clear();
      // The server still knows the session.
      else if (is_forgotten && expected !== null) attempted.add(expected);
      expect(shown);
      return shown !== null;
    },
  };
}
