import type { GivenDecision } from '@sendlap/contract/decisions.ts';
import { isErrorCode } from '@sendlap/contract/errors.ts';
import { fromBase64Url } from '@sendlap/domain/bytes.ts';
import { readCode } from '@sendlap/domain/qr-code.ts';
import type { Sport } from '@sendlap/domain/scoring.ts';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useUser } from '#web/shared/api/use-session.ts';
import { useLocale } from '#web/shared/i18n/use-language.ts';
import { outbox } from '#web/shared/outbox/client.ts';
import { useOutbox } from '#web/shared/outbox/use-outbox.ts';
import { useOutboxErrorText } from '#web/shared/outbox/use-outbox-error-text.ts';
import { Badge, type BadgeTone } from '#web/shared/ui/Badge.tsx';
import { Button } from '#web/shared/ui/Button.tsx';
import { Card } from '#web/shared/ui/Card.tsx';
import { Icon } from '#web/shared/ui/Icon.tsx';
import type { IconName } from '#web/shared/ui/icon-paths.ts';
import { toast } from '#web/shared/ui/toast.ts';
import { type LocalDecision, withdrawalOf } from './decisions.ts';
import { formatDay, formatTimes } from './times.ts';

/** The time in which a withdrawal itself can be taken back: it can't be once the server has it. */
const UNDO_MS = 5_000;

/** One decision that the server has, and the way to take it back. */
export function DecisionRow({ decision }: { decision: GivenDecision }) {
  const { t } = useTranslation(['qr', 'errors']);
  const rows = useOutbox();
  const withdrawal = withdrawalOf(decision.op_id, rows);
  const takeBack = useTakeBack(decision);
  const { outcome, athlete, method, sport_type, sport_center_name } = decision;
  const refused = withdrawal !== null && withdrawal !== 'queued' ? withdrawal : null;
  return (
    <Row
      athlete={athlete}
      sport_type={sport_type}
      center={sport_center_name}
      from_ms={Date.parse(decision.started_at)}
      to_ms={Date.parse(decision.ended_at)}
      badge={<OutcomeBadge decision={decision} />}
    >
      {method === 'peer' && <Note>{t('decisions.asFriend')}</Note>}
      {outcome === 'overtaken' && <Note>{t('decisions.overtakenText')}</Note>}
      {withdrawal === 'queued' && <Note>{t('decisions.takingBack')}</Note>}
      {refused && <Note>{isErrorCode(refused.code) ? t(`errors:${refused.code}`) : refused.message}</Note>}
      {decision.can_withdraw && withdrawal === null && (
        <Button kind="secondary" size="sm" className="mt-3" onClick={() => void takeBack()}>
          {t('decisions.takeBack')}
        </Button>
      )}
    </Row>
  );
}

/** One decision that waits on this device or on the server, or that was refused. */
export function LocalDecisionRow({ decision: { op, state, refusal } }: { decision: LocalDecision }) {
  const { t } = useTranslation(['qr', 'errors']);
  const bytes = fromBase64Url(op.payload);
  const read = bytes && readCode(bytes);
  if (read?.kind !== 'activity') return null;
  const { display_name, sport_type, started_at, ended_at } = read.code;
  const tone = state === 'refused' ? 'danger' : 'outline';
  const icon = state === 'refused' ? 'x' : state === 'queued' ? 'check' : 'clock';
  return (
    <Row
      athlete={display_name || t('card.unnamed')}
      sport_type={sport_type}
      center={null}
      from_ms={started_at}
      to_ms={ended_at}
      badge={
        <Badge tone={tone} icon={icon}>
          {t(`decisions.state.${state}`)}
        </Badge>
      }
    >
      <Note>
        {refusal
          ? isErrorCode(refusal.code)
            ? t(`errors:${refusal.code}`)
            : refusal.message
          : t(`decisions.${state === 'waiting' ? 'waitingText' : 'queuedText'}`)}
      </Note>
    </Row>
  );
}

function useTakeBack({ op_id: scan_op_id, client_id }: GivenDecision): () => Promise<void> {
  const { t } = useTranslation('qr');
  const errorText = useOutboxErrorText();
  const { id } = useUser();
  return async () => {
    const op_id = crypto.randomUUID();
    try {
      await outbox.saveOp(id, { kind: 'withdraw', op_id, client_id, scan_op_id }, { hold_ms: UNDO_MS });
      const action = { label: t('decisions.undo'), onPress: () => void outbox.undoOp(op_id) };
      toast({ title: t('decisions.tookBack'), action, timeout_ms: UNDO_MS });
    } catch (error) {
      toast({ title: t('decisions.notSaved'), description: errorText(error), tone: 'error', timeout_ms: 0 });
    }
  };
}

const OUTCOME_LOOKS: Record<'confirm' | 'reject' | 'overtaken' | 'withdrawn', { tone: BadgeTone; icon: IconName }> = {
  confirm: { tone: 'gold', icon: 'shield' },
  reject: { tone: 'danger', icon: 'x' },
  overtaken: { tone: 'neutral', icon: 'sync' },
  withdrawn: { tone: 'neutral', icon: 'x' },
};

function OutcomeBadge({ decision: { outcome, decision } }: { decision: GivenDecision }) {
  const { t } = useTranslation('qr');
  const name = outcome === 'in_force' ? decision : outcome;
  const { tone, icon } = OUTCOME_LOOKS[name];
  return (
    <Badge tone={tone} icon={icon}>
      {t(`decisions.outcome.${name}`)}
    </Badge>
  );
}

interface RowProps {
  athlete: string;
  sport_type: Sport;
  /** null: not known here. */
  center: string | null;
  from_ms: number;
  to_ms: number;
  badge: ReactNode;
  children: ReactNode;
}

function Row({ athlete, sport_type, center, from_ms, to_ms, badge, children }: RowProps) {
  const { t } = useTranslation('shell');
  const locale = useLocale();
  const climbing = sport_type === 'climbing';
  const when = `${formatDay(from_ms, locale)}, ${formatTimes(from_ms, to_ms, locale)}`;
  return (
    <Card as="li">
      <div className="flex items-start gap-3">
        <span className={climbing ? 'text-climb-ink' : 'text-swim-ink'}>
          <Icon name={climbing ? 'mountain' : 'wave'} size={28} />
          <span className="sr-only">{t(`sport.${sport_type}`)}</span>
        </span>
        <div className="min-w-0 flex-1">
          <p className="truncate font-semibold">{athlete}</p>
          {center !== null && <p className="line-clamp-2 text-[0.9375rem] text-ink-soft">{center}</p>}
          <p className="figures text-[0.9375rem] text-ink-soft">{when}</p>
        </div>
        {badge}
      </div>
      {children}
    </Card>
  );
}

function Note({ children }: { children: ReactNode }) {
  return <p className="mt-2 text-[0.9375rem] text-ink-soft">{children}</p>;
}
