import type { RequestedClaim } from '@sendlap/contract/center-management/claims.ts';
import { useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { useErrorText } from '#web/shared/i18n/use-error-text.ts';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { Button } from '#web/shared/ui/controls/Button.tsx';
import { NetworkButton } from '#web/shared/ui/controls/NetworkButton.tsx';
import { Problem } from '#web/shared/ui/controls/Problem.tsx';
import { toast } from '#web/shared/ui/feedback/toast.ts';
import { useDecideClaim } from './requested-claims.ts';

type Decision = 'accept' | 'refuse';

/** Two buttons: the first press asks, the second one acts. */
export function ClaimDecision({ claim }: { claim: RequestedClaim }) {
  const { t } = useTranslation('claims');
  const [asked, setAsked] = useState<Decision | null>(null);
  const part = useRef<HTMLDivElement>(null);
  // The pressed button is removed: the focus goes to the first button in its place.
  const ask = (decision: Decision | null) => {
    flushSync(() => setAsked(decision));
    part.current?.querySelector('button')?.focus();
  };
  return (
    <div ref={part} className="flex flex-col gap-2">
      {asked ? (
        <Question key={asked} claim={claim} decision={asked} onBack={() => ask(null)} />
      ) : (
        <>
          <Button size="sm" wide onClick={() => ask('accept')}>
            {t('list.accept', { name: claim.name })}
          </Button>
          <Button kind="danger" size="sm" wide onClick={() => ask('refuse')}>
            {t('list.refuse')}
          </Button>
        </>
      )}
    </div>
  );
}

interface QuestionProps {
  claim: RequestedClaim;
  decision: Decision;
  onBack: () => void;
}

function Question({ claim: { id, name, center_name: center }, decision, onBack }: QuestionProps) {
  const { t } = useTranslation('claims');
  const errorText = useErrorText();
  const decide = useDecideClaim(id, decision);
  // The row leaves the list with the reply: what happened is told outside it.
  const send = () =>
    void decide.mutateAsync().then(
      () =>
        toast({
          title: t(decision === 'accept' ? 'list.accepted' : 'list.refused', { name, center }),
          tone: 'success',
        }),
      () => {},
    );
  return (
    <div className="flex flex-col gap-2 rounded-md bg-sunken p-3">
      <p role="status" className="px-1 wrap-anywhere">
        {t(`list.${decision}Why`, { name, center })}
      </p>
      {decide.error && <Problem>{errorText(decide.error)}</Problem>}
      <Button kind="quiet" size="sm" wide onClick={onBack}>
        {t('list.keep')}
      </Button>
      <NetworkButton
        kind={decision === 'accept' ? 'primary' : 'danger'}
        size="sm"
        wide
        busy={decide.isPending}
        onClick={send}
      >
        {decision === 'accept' ? t('list.accept', { name }) : t('list.refuse')}
      </NetworkButton>
    </div>
  );
}
