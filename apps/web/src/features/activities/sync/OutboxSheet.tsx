import type { Op } from '@sendlap/contract/activities.ts';
import { isErrorCode } from '@sendlap/contract/wire/errors.ts';
import { messagePreview } from '@sendlap/domain/messages.ts';
import type { ReactNode } from 'react';
import { useOnline } from '#web/shared/device/online.ts';
import { useLocale } from '#web/shared/i18n/use-language.ts';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { outbox } from '#web/shared/outbox/client.ts';
import { useSealedWork } from '#web/shared/outbox/sealed/use-sealed-work.ts';
import { canSendWhenClosed } from '#web/shared/outbox/send/background-sync.ts';
import type { QueuedMessage } from '#web/shared/outbox/store/queued-message.ts';
import type { DeadOp, QueuedOp } from '#web/shared/outbox/store/records.ts';
import { useOutbox } from '#web/shared/outbox/use-outbox.ts';
import { useOutboxErrorText } from '#web/shared/outbox/use-outbox-error-text.ts';
import { chosenName } from '#web/shared/people/use-person-name.ts';
import { SPORT_LOOKS } from '#web/shared/sports/sport-look.ts';
import { formatClock } from '#web/shared/time/format-clock.ts';
import { formatDay } from '#web/shared/time/format-day.ts';
import { Button } from '#web/shared/ui/controls/Button.tsx';
import { EmptyState } from '#web/shared/ui/feedback/EmptyState.tsx';
import { toast } from '#web/shared/ui/feedback/toast.ts';
import { Icon } from '#web/shared/ui/icons/Icon.tsx';
import { Sheet } from '#web/shared/ui/sheet/Sheet.tsx';
import { useActivities } from '../data/use-activities.ts';
import { DiscardButton } from './DiscardButton.tsx';
import { describeOp, type SavedOp } from './describe-op.ts';
import { isClockUnsure, isOverlapRefusal } from './overlap.ts';
import { RefusedOpCard } from './RefusedOpCard.tsx';
import { SealedItems } from './SealedItems.tsx';
import { refusedMessages } from './sync-state.ts';
import { useRefusedOps } from './use-refused-ops.ts';

/**
 * Everything queued on this device: first refused ops and messages with the reason, then the queue, then waiting scans.
 */
export function OutboxSheet({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('outbox');
  const { ops, dead, waiting, messages, storage_error } = useOutbox();
  const sealed = useSealedWork();
  const sealed_count = sealed.opening.length + sealed.unreadable.length;
  const errorText = useOutboxErrorText();
  const online = useOnline();
  const attemptsText = useAttemptsText();
  const refused = refusedMessages(messages);
  const queued = messages.filter((message) => message.refused === null);
  const unsent = ops.length + queued.length;
  const empty = unsent + dead.length + refused.length + waiting.length + sealed_count === 0;
  const discardMessage = ({ user_id, client_id }: QueuedMessage) =>
    outbox
      .discardMessage(user_id, client_id)
      .catch(() => toast({ title: t('discardFailed'), tone: 'error', timeout_ms: 0 }));
  return (
    <Sheet open onOpenChange={onClose} title={t('title')} description={t('intro')}>
      <div className="flex flex-col gap-6">
        {storage_error !== null && (
          <p role="alert" className="rounded-lg bg-danger-tint p-4 text-danger-ink">
            <span className="font-bold">{t('broken')}.</span> {errorText(storage_error)}
          </p>
        )}
        {empty && !storage_error && <EmptyState icon="check" title={t('synced')} text={t('empty')} />}
        {dead.length + refused.length > 0 && (
          <Section title={t('deadTitle')}>
            {[...Map.groupBy(dead, ({ client_id }) => client_id)].map(([client_id, dead_ops]) => (
              <RefusedOpsItem key={client_id} client_id={client_id} ops={dead_ops} />
            ))}
            {refused.map((message) => (
              <RefusedEntry
                key={message.client_id}
                code={message.refused?.code}
                message={message.refused?.message}
                onRetry={() => void outbox.retryMessage(message.user_id, message.client_id)}
                onDiscard={() => void discardMessage(message)}
              >
                <MessageSummary message={message} />
              </RefusedEntry>
            ))}
          </Section>
        )}
        {sealed_count > 0 && (
          <Section title={t('sealed.title')}>
            <SealedItems {...sealed} />
          </Section>
        )}
        {unsent > 0 && (
          <Section title={t('queuedTitle')}>
            {ops.map((op) => (
              <OpLine key={op.op_id} op={toSavedOp(op)} note={attemptsText(op)} />
            ))}
            {queued.map((message) => (
              <li key={message.client_id} className="rounded-lg bg-sunken p-3">
                <MessageSummary message={message} />
                {message.attempts > 0 && <p className="text-label text-ink-soft">{attemptsText(message)}</p>}
              </li>
            ))}
          </Section>
        )}
        {unsent > 0 &&
          (online ? (
            <Button kind="secondary" icon="sync" wide onClick={() => void outbox.flush()}>
              {t('sendNow')}
            </Button>
          ) : (
            <p className="text-center text-label text-ink-soft">
              {t(canSendWhenClosed() ? 'offlineHint' : 'openToSend.hint')}
            </p>
          ))}
        {waiting.length > 0 && (
          <Section title={t('waitingTitle')}>
            {waiting.map((scan) => (
              <OpLine
                key={scan.op_id}
                op={{ payload: scan.payload, saved_at: scan.noted_at }}
                note={t(`waitingText.${isRejection(scan.payload) ? 'reject' : 'confirm'}`)}
              />
            ))}
          </Section>
        )}
      </div>
    </Sheet>
  );
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section>
      <h3 className="mb-2 font-bold">{title}</h3>
      <ul className="flex flex-col gap-2">{children}</ul>
    </section>
  );
}

interface RefusedCardProps {
  code: string | undefined;
  /** The server's message, shown if its code is unknown. */
  message: string | undefined;
  onRetry: () => void;
  onDiscard: () => void;
  children: ReactNode;
}

/** A refused op or message, with the reason and its actions. */
function RefusedEntry({ code, message, onRetry, onDiscard, children }: RefusedCardProps) {
  const { t } = useTranslation(['outbox', 'errors']);
  return (
    <li className="flex flex-col gap-3 rounded-lg bg-danger-tint p-4">
      {children}
      <p className="text-label font-medium text-danger-ink">{isErrorCode(code) ? t(`errors:${code}`) : message}</p>
      <div className="flex flex-wrap gap-2 *:grow *:basis-[8rem]">
        <Button size="sm" wide onClick={onRetry}>
          {t('tryAgain')}
        </Button>
        <DiscardButton onDiscard={onDiscard} />
      </div>
    </li>
  );
}

/** The ops of one activity are retried or discarded together, so they are one entry. */
function RefusedOpsItem({ client_id, ops }: { client_id: string; ops: DeadOp[] }) {
  const { retry, discard } = useRefusedOps(client_id);
  const activity = useActivities().activities.find((own) => own.client_id === client_id);
  const [first] = ops;
  if (activity && (isOverlapRefusal(activity) || (first && isClockUnsure(first)))) {
    return (
      <li>
        <RefusedOpCard activity={activity} />
      </li>
    );
  }
  return (
    <RefusedEntry
      code={first?.code}
      message={first?.message}
      onRetry={() => void retry()}
      onDiscard={() => void discard()}
    >
      <ul className="flex flex-col gap-2">
        {ops.map((op) => (
          <OpLine key={op.op_id} op={toSavedOp(op)} plain />
        ))}
      </ul>
    </RefusedEntry>
  );
}

function isRejection(op: Op): boolean {
  return op.kind === 'scan' && op.decision === 'reject';
}

function toSavedOp({ payload, facts, created_at }: DeadOp | QueuedOp): SavedOp {
  return { payload, facts, saved_at: created_at };
}

/** Returns how often an op or message was tried and why that failed; undefined if it was not tried yet. */
function useAttemptsText(): (tried: { attempts: number; last_error: string | null }) => string | undefined {
  const { t } = useTranslation('outbox');
  return ({ attempts, last_error }) => {
    const reason = last_error === 'NETWORK_ERROR' || last_error === 'TIMEOUT' ? last_error : 'other';
    return attempts === 0 ? undefined : t('tries', { count: attempts, reason: t(`reason.${reason}`) });
  };
}

interface OpLineProps {
  op: SavedOp;
  /** A second line: how often the op was tried, or the reason why it waits. */
  note?: string | undefined;
  /** Without its own surface. */
  plain?: boolean;
}

/** One op in words: what happened, at which center or whose activity, and when. */
function OpLine({ op, note, plain = false }: OpLineProps) {
  const { t } = useTranslation(['outbox', 'shell']);
  const { activities } = useOutbox();
  const locale = useLocale();
  const { kind, sport_type, subject, at } = describeOp(op, activities);
  const time = `${formatDay(at, locale)}, ${formatClock(at, locale)}`;
  const sport = sport_type ? t(`shell:sport.${sport_type}`) : null;
  const title = sport === null && kind !== 'withdraw' ? t('kind.unknown') : t(`kind.${kind}`, { sport: sport ?? '' });
  const look = sport_type ? SPORT_LOOKS[sport_type] : null;
  return (
    <li className={`flex items-center gap-3 ${plain ? '' : 'rounded-lg bg-sunken p-3'}`}>
      <span aria-hidden="true" className={`shrink-0 ${look?.ink ?? 'text-ink-soft'}`}>
        <Icon name={look?.icon ?? 'clock'} size={26} />
      </span>
      <div className="min-w-0">
        <p className="font-semibold">{title}</p>
        <p className="figures wrap-break-word text-label text-ink-soft">
          {subject === null
            ? time
            : t(op.payload.kind === 'scan' ? 'of' : 'at', { name: subject, center: subject, time })}
        </p>
        {note && <p className="text-label text-ink-soft">{note}</p>}
      </div>
    </li>
  );
}

/** A queued message: its recipient, its text and when it was written. */
function MessageSummary({ message: { to_name, text, created_at } }: { message: QueuedMessage }) {
  const { t } = useTranslation('outbox');
  const locale = useLocale();
  const name = chosenName(to_name);
  return (
    <div className="flex items-center gap-3">
      <span aria-hidden="true" className="shrink-0 text-ink-soft">
        <Icon name="clock" size={26} />
      </span>
      <div className="min-w-0">
        <p className="font-semibold">{name === null ? t('message') : t('messageTo', { name })}</p>
        <p dir="auto" className="truncate text-label">
          {messagePreview(text)}
        </p>
        <p className="figures wrap-break-word text-label text-ink-soft">
          {`${formatDay(created_at, locale)}, ${formatClock(created_at, locale)}`}
        </p>
      </div>
    </div>
  );
}
