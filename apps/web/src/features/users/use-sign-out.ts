import { useLocation } from 'wouter';
import { session } from '#web/shared/api/client.ts';

/** Signs out on this device and navigates to the page that the session returns. */
export function useSignOut(): () => Promise<void> {
  const [, navigate] = useLocation();
  return async () => {
    const to = await session.logout();
    // The provider may need to end its own session on one of its pages.
    if (URL.canParse(to)) location.assign(to);
    else navigate(to, { replace: true });
  };
}
