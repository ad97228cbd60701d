import { useState } from 'react';
import { ApiError } from '#web/shared/api/errors.ts';
import { Button } from '#web/shared/ui/controls/Button.tsx';
import { signInWithPassword } from './sign-in.ts';

/**
 * The user that the operator CLI has to create first. Defined here and not next to `isDemoOffered`: only this file is
 * left out of a production build.
 */
const DEMO_USER = { email: 'demo@sendlap.test', password: 'sendlap demo user' };
const DEMO_COMMAND = `echo '${DEMO_USER.password}' | npm run sendlap -- users create ${DEMO_USER.email} --name Demo --password-stdin`;

/** Signs in the demo account by the real call. For developers, so in English only. */
export function DemoButton() {
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const signInDemoUser = () => {
    setBusy(true);
    signInWithPassword(DEMO_USER).catch((error: unknown) => {
      const is_missing_user = error instanceof ApiError && error.backend_error === 'credentials_wrong';
      setProblem(is_missing_user ? `There is no demo user yet: ${DEMO_COMMAND}` : String(error));
      setBusy(false);
    });
  };
  return (
    <div lang="en" className="mt-3 text-center">
      <Button kind="quiet" size="sm" busy={busy} onClick={signInDemoUser}>
        Demo user
      </Button>
      {problem && (
        <p role="alert" className="text-sm text-danger-ink">
          {problem}
        </p>
      )}
    </div>
  );
}
