import { type ComponentType, useEffect, useState } from 'react';
import { whenIdle } from '#web/shared/device/idle.ts';
import { useOnline } from '#web/shared/device/online.ts';
import { loadWaysIn, type WaysIn } from './ways-in.ts';

type Form = ComponentType<{ can_reset: boolean }>;

const loadForm = () => import('./LoginForm.tsx').then((m): Form => m.LoginForm);

/** The sign-in by e-mail and password, if the server offers it; its form is lazy-loaded. */
export function usePasswordWay() {
  const online = useOnline();
  const [ways, setWays] = useState<WaysIn | null>(null);
  const [Form, setForm] = useState<Form | null>(null);

  useEffect(() => {
    if (!online) return;
    // If the request fails, the provider's sign-in is still offered and shows the error.
    whenIdle(() => void loadWaysIn().then(setWays, () => {}));
  }, [online]);

  return {
    /** The server accepts passwords. Known a moment after the first paint. */
    offered: ways?.password_login ?? false,
    can_reset: ways?.password_reset ?? false,
    /** A new account can be created; false only once the server has said so. */
    sign_up: ways?.sign_up ?? true,
    /** The form, once the user has opened it. */
    Form,
    /** Prefetches the form. */
    prepare: () => void loadForm().catch(() => {}),
    open: () =>
      void loadForm().then(
        (form) => setForm(() => form),
        () => {},
      ),
  };
}
