import { type ComponentType, useEffect, useState } from 'react';
import { whenIdle } from '#web/shared/device/idle.ts';
import { useOnline } from '#web/shared/device/online.ts';
import { loadWaysIn, type WaysIn } from './ways-in.ts';

type Form = ComponentType<{ can_reset: boolean }>;

const loadForm = () => import('./LoginForm.tsx').then((m): Form => m.LoginForm);

/** The second way in, by e-mail and password, where the server offers it; its form is fetched when it is wanted. */
export function usePasswordWay() {
  const online = useOnline();
  const [ways, setWays] = useState<WaysIn | null>(null);
  const [Form, setForm] = useState<Form | null>(null);

  useEffect(() => {
    if (!online) return;
    // Without an answer the other way in still stands, and tells what is wrong.
    whenIdle(() => void loadWaysIn().then(setWays, () => {}));
  }, [online]);

  return {
    /** The server takes passwords. It is known a moment after the first paint. */
    offered: ways?.password_login ?? false,
    can_reset: ways?.password_reset ?? false,
    /** A new account can be made; false only once the server has said no. */
    sign_up: ways?.sign_up ?? true,
    /** The form, once it was opened. */
    Form,
    /** Fetches the form before it is wanted. */
    prepare: () => void loadForm().catch(() => {}),
    open: () =>
      void loadForm().then(
        (form) => setForm(() => form),
        () => {},
      ),
  };
}
