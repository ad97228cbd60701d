import { type ComponentType, useEffect, useState } from 'react';
import { whenIdle } from '#web/shared/device/idle.ts';
import { useOnline } from '#web/shared/device/online.ts';
import { loadSignInMethods, type SignInMethods } from './sign-in-methods.ts';

type Form = ComponentType<{ can_reset: boolean }>;

const loadForm = () => import('./LoginForm.tsx').then((m): Form => m.LoginForm);

/** The sign-in by e-mail and password, if the server offers it; its form is lazy-loaded. */
export function usePasswordSignIn() {
  const online = useOnline();
  const [methods, setMethods] = useState<SignInMethods | null>(null);
  const [Form, setForm] = useState<Form | null>(null);

  useEffect(() => {
    if (!online) return;
    // If the request fails, the provider's sign-in is still offered and shows the error.
    whenIdle(() => void loadSignInMethods().then(setMethods, () => {}));
  }, [online]);

  return {
    /** The server accepts passwords. Known a moment after the first paint. */
    offered: methods?.password_login ?? false,
    can_reset: methods?.password_reset ?? false,
    /** False only once the server has said that its provider opens no page for new accounts. */
    can_sign_up: methods?.sign_up ?? true,
    /** The form, once the user has opened it. */
    Form,
    /** Prefetches the form. */
    prefetchForm: () => void loadForm().catch(() => {}),
    open: () =>
      void loadForm().then(
        (form) => setForm(() => form),
        () => {},
      ),
  };
}
