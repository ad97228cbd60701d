import type { GivenDecision } from '@sendlap/contract/decisions.ts';
import { isErrorCode } from '@sendlap/contract/wire/errors.ts';
import { fromBase64Url } from '@sendlap/domain/bytes.ts';
import { decodeCode } from '@sendlap/domain/qr-code.ts';
import { useUser } from '#web/shared/api/use-session.ts';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { outbox } from '#web/shared/outbox/client.ts';
import { UNDO_MS } from '#web/shared/outbox/undo-time.ts';
import { useOutbox } from '#web/shared/outbox/use-outbox.ts';
import { useOutboxErrorText } from '#web/shared/outbox/use-outbox-error-text.ts';
import { Button } from '#web/shared/ui/controls/Button.tsx';
import { Tag, type TagTone } from '#web/shared/ui/controls/Tag.tsx';
import { toast } from '#web/shared/ui/feedback/toast.ts';
import type { IconName } from '#web/shared/ui/icons/icon-paths.ts';
import { proofIcon } from '#web/shared/ui/icons/proof-icon.ts';
import { AthleteActivityRow, RowText } from './AthleteActivityRow.tsx';
import { type LocalDecision, withdrawalState } from './decisions.ts';

const OUTCOME_TAGS: Record<
  GivenDecision['decision'] | Exclude<GivenDecision['outcome'], 'in_force'>,
  { tone: TagTone; icon: IconName }
> = {
  confirm: { tone: 'gold', icon: 'check' },
  reject: { tone: 'danger', icon: 'x' },
  overtaken: { tone: 'neutral', icon: 'sync' },
  edited: { tone: 'neutral', icon: 'edit' },
  appealed: { tone: 'neutral', icon: 'chat' },
  withdrawn: { tone: 'neutral', icon: 'x' },
};

const LOCAL_TAGS: Record<LocalDecision['state'], { tone: TagTone; icon: IconName }> = {
  queued: { tone: 'outline', icon: 'check' },
  waiting: { tone: 'outline', icon: 'clock' },
  refused: { tone: 'danger', icon: 'x' },
};

/** A decision that the server has, with the button to withdraw it. */
export function DecisionRow({ decision }: { decision: GivenDecision }) {
  // Loads the `errors` texts too: a refusal that arrives later, while offline, needs them.
  const { t } = useTranslation(['qr', 'errors']);
  const withdrawal = withdrawalState(decision.op_id, useOutbox());
  const withdraw = useWithdraw(decision);
  const { outcome, method } = decision;
  const name = outcome === 'in_force' ? decision.decision : outcome;
  const { tone, icon } = OUTCOME_TAGS[name];
  const tag = (
    <Tag tone={tone} icon={name === 'confirm' ? proofIcon(method) : icon}>
      {t(`decisions.outcome.${name}`)}
    </Tag>
  );
  return (
    <AthleteActivityRow activity={decision} tag={tag}>
      {outcome !== 'in_force' && <RowText>{t(`decisions.yours.${decision.decision}`)}</RowText>}
      {method === 'peer' && <RowText>{t('decisions.asFriend')}</RowText>}
      {outcome !== 'in_force' && outcome !== 'withdrawn' && <RowText>{t(`decisions.${outcome}Text`)}</RowText>}
      {withdrawal === 'queued' && <RowText>{t('decisions.takingBack')}</RowText>}
      {withdrawal !== null && withdrawal !== 'queued' && <Refusal {...withdrawal} />}
      {decision.can_withdraw && withdrawal === null && (
        <Button kind="secondary" size="sm" className="mt-3" onClick={() => void withdraw()}>
          {t('decisions.takeBack')}
        </Button>
      )}
    </AthleteActivityRow>
  );
}

/** A decision that waits on this device or on the server, or that was refused. */
export function LocalDecisionRow({ decision: { op, state, refusal } }: { decision: LocalDecision }) {
  const { t } = useTranslation(['qr', 'errors']);
  const bytes = fromBase64Url(op.payload);
  const read = bytes && decodeCode(bytes);
  if (read?.kind !== 'activity') return null;
  const activity = { ...read.code, athlete: read.code.display_name, sport_center_name: null };
  return (
    <AthleteActivityRow activity={activity} tag={<Tag {...LOCAL_TAGS[state]}>{t(`decisions.state.${state}`)}</Tag>}>
      <RowText>{t(`decisions.yours.${op.decision}`)}</RowText>
      {refusal ? (
        <Refusal {...refusal} />
      ) : (
        <RowText>{t(`decisions.${state === 'waiting' ? 'waitingText' : 'queuedText'}`)}</RowText>
      )}
    </AthleteActivityRow>
  );
}

/** Why the server refused the decision. */
function Refusal({ code, message }: { code: string; message: string }) {
  const { t } = useTranslation('errors');
  return <RowText>{isErrorCode(code) ? t(code) : message}</RowText>;
}

function useWithdraw({ op_id: scan_op_id, client_id }: GivenDecision): () => Promise<void> {
  const { t } = useTranslation('qr');
  const errorText = useOutboxErrorText();
  const { id } = useUser();
  return async () => {
    const op_id = crypto.randomUUID();
    try {
      // Held: once the server has it, it is final.
      await outbox.saveOp(id, { kind: 'withdraw', op_id, client_id, scan_op_id }, { hold_ms: UNDO_MS });
      const action = { label: t('decisions.undo'), onPress: () => void outbox.store.undoOp(op_id) };
      toast({ title: t('decisions.tookBack'), action, timeout_ms: UNDO_MS });
    } catch (error) {
      toast({ title: t('decisions.notSaved'), description: errorText(error), tone: 'error', timeout_ms: 0 });
    }
  };
}
