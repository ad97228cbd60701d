import { useState } from 'react';
import { ApiError } from '#web/shared/api/errors.ts';
import { useUser } from '#web/shared/api/use-session.ts';
import { useErrorText } from '#web/shared/i18n/use-error-text.ts';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { Card } from '#web/shared/ui/Card.tsx';
import { Button } from '#web/shared/ui/controls/Button.tsx';
import { NetworkButton } from '#web/shared/ui/controls/NetworkButton.tsx';
import { Problem } from '#web/shared/ui/controls/Problem.tsx';
import { useRetainedFocus } from '#web/shared/ui/use-retained-focus.ts';
import { NoRight } from './NoRight.tsx';
import { useRedeemInvite } from './queries.ts';

const REFUSALS = ['invite_unknown', 'invite_invalid', 'validation_failed'];

interface RedeemCardProps {
  code: string;
  /** Signs out. */
  onSwitchAccount: () => Promise<void>;
}

/** Asks before the code is redeemed: in a shared browser, the signed-in account may be another person's. */
export function RedeemCard({ code, onSwitchAccount }: RedeemCardProps) {
  const { t } = useTranslation('setup');
  const errorText = useErrorText();
  const user = useUser();
  const { mutate: redeem, data: right, error, isPending } = useRedeemInvite(user.id);
  const [is_signing_out, setSigningOut] = useState(false);
  const heading = useRetainedFocus<HTMLHeadingElement>('section');
  // The right may have been revoked before the answer; a used address is refused to a revoked operator.
  if (right?.is_operator === false || isRefusal(error))
    return <NoRight heading={heading} title={t('refused.title')} text={t('refused.text')} />;
  const switchAccount = () => {
    setSigningOut(true);
    void onSwitchAccount();
  };
  return (
    <Card as="section" className="flex flex-col gap-3">
      <div>
        <h2 ref={heading} tabIndex={-1} className="text-lg font-bold wrap-anywhere outline-none">
          {t('redeem.title', { name: user.name })}
        </h2>
        <p className="text-ink-soft wrap-anywhere">{user.email}</p>
      </div>
      <p>{t('redeem.text')}</p>
      {error && <Problem>{errorText(error)}</Problem>}
      <NetworkButton wide busy={isPending} onClick={() => redeem(code)}>
        {t('redeem.confirm')}
      </NetworkButton>
      <Button kind="quiet" size="sm" wide busy={is_signing_out} onClick={switchAccount}>
        {t('redeem.otherAccount')}
      </Button>
    </Card>
  );
}

/** The code is wrong, or cannot be used again. */
function isRefusal(error: Error | null): boolean {
  return error instanceof ApiError && REFUSALS.some((code) => code === error.backend_error);
}
