import { useLocation } from 'wouter';
import { session } from '#web/shared/api/client.ts';

/** Signs out on this device and goes where the session says. */
export function useLeave(): () => Promise<void> {
  const [, navigate] = useLocation();
  return async () => {
    const to = await session.logout();
    // The provider may want to end its own session on a page of its own.
    if (URL.canParse(to)) location.assign(to);
    else navigate(to, { replace: true });
  };
}
