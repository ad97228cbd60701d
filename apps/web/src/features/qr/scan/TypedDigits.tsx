import { resolveDigits } from '@sendlap/contract/decisions.ts';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { call } from '#web/shared/api/client.ts';
import { useOnline } from '#web/shared/device/online.ts';
import { useErrorText } from '#web/shared/i18n/use-error-text.ts';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { Button } from '#web/shared/ui/controls/Button.tsx';

const DIGITS = 8;

/** For wet lenses and cracked screens: looks up the digits beside the code on the server. */
export function TypedDigits({ onPayload }: { onPayload: (payload: string) => void }) {
  const { t } = useTranslation('qr');
  const errorText = useErrorText();
  const online = useOnline();
  const [digits, setDigits] = useState('');
  /** Asks the server which code has these 8 digits now; returns its payload. */
  const resolve = useMutation({
    mutationFn: async (code: string) => (await call(resolveDigits, { body: { code } })).payload,
    networkMode: 'always',
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (digits.length === DIGITS) resolve.mutate(digits, { onSuccess: onPayload });
  };
  const message = online ? (resolve.error ? errorText(resolve.error) : null) : t('scan.digits.offline');
  return (
    <form onSubmit={submit} className="flex flex-col gap-4">
      <label className="sr-only" htmlFor="qr-digits">
        {t('scan.digits.label')}
      </label>
      <input
        id="qr-digits"
        value={digits.replace(/^(.{4})(?=.)/, '$1 ')}
        onChange={(event) => {
          setDigits(event.target.value.replaceAll(/\D/g, '').slice(0, DIGITS));
          resolve.reset();
        }}
        inputMode="numeric"
        autoComplete="off"
        enterKeyHint="search"
        placeholder="0000 0000"
        // Not disabled: a disabled field would lose the focus.
        readOnly={!online}
        aria-invalid={resolve.error ? true : undefined}
        aria-describedby={message ? 'qr-digits-note' : undefined}
        className="figures min-h-18 w-full rounded-lg bg-sunken text-center text-display font-bold text-ink outline-accent placeholder:text-ink-faint/50 focus-visible:outline-3 read-only:opacity-50"
      />
      {message && (
        <p id="qr-digits-note" role="alert" className={online ? 'text-danger-ink' : 'text-ink-soft'}>
          {message}
        </p>
      )}
      <Button type="submit" icon="search" wide busy={resolve.isPending} disabled={!online || digits.length < DIGITS}>
        {t('scan.digits.action')}
      </Button>
    </form>
  );
}
