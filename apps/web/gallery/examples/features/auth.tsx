import { Notice } from '#web/features/auth/Notice.tsx';
import { SignInHero } from '#web/features/auth/SignInHero.tsx';
import { SignInLayout } from '#web/features/auth/SignInLayout.tsx';
import { SignInPreferences } from '#web/features/auth/SignInPreferences.tsx';
import { Button } from '#web/shared/ui/controls/Button.tsx';
import type { Examples } from '../example.ts';
import { LONG_CENTER_NAME } from './data.ts';

export const AUTH: Examples = {
  Notice: [
    { state: 'default', render: ({ hint }) => <Notice icon="sync">{hint}</Notice> },
    {
      state: 'long text',
      render: ({ problem, unbroken }) => <Notice icon="offline">{`${problem} ${unbroken}`}</Notice>,
    },
  ],
  SignInHero: [{ state: 'default', render: () => <SignInHero className="w-full" /> }],
  SignInLayout: [
    {
      state: 'default',
      render: ({ title, text, short }) => (
        <SignInLayout tagline={title} pitch={text} corner={<SignInPreferences />}>
          <Button wide>{short}</Button>
        </SignInLayout>
      ),
    },
    {
      state: 'low, of a server with a long name',
      render: ({ long, text, short }) => (
        <SignInLayout tagline={long} pitch={text} server_name={LONG_CENTER_NAME} is_compact>
          <Button wide>{short}</Button>
        </SignInLayout>
      ),
    },
  ],
  SignInPreferences: [{ state: 'default', render: () => <SignInPreferences /> }],
};
