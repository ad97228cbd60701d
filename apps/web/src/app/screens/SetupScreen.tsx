import { SetupPage } from '#web/features/setup/SetupPage.tsx';
import { useSignOut } from '#web/features/users/use-sign-out.ts';

export function SetupScreen() {
  return <SetupPage onSwitchAccount={useSignOut()} />;
}
