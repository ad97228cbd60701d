import { isErrorCode } from '@sendlap/contract/errors.ts';
import { useEffect } from 'react';
import { vibrate } from '#web/shared/device/haptics.ts';
import { useLocale } from '#web/shared/i18n/use-language.ts';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { Button } from '#web/shared/ui/Button.tsx';
import { Icon } from '#web/shared/ui/Icon.tsx';
import { Spinner } from '#web/shared/ui/Spinner.tsx';
import { GoldMark } from './GoldMark.tsx';
import { mayScanAgain, type ScanOutcome } from './scan-outcome.ts';

export interface ScanResultProps {
  outcome: ScanOutcome;
  /** Whether the referee confirmed or rejected. */
  rejecting: boolean;
  /** Confirmed as a friend. */
  as_peer: boolean;
  name: string;
  /** Goes on to the next code. */
  onAgain: () => void;
  onDone: () => void;
}

/** What became of the decision, in words; never more than the server has said. */
export function ScanResult({ outcome, onAgain, onDone, ...facts }: ScanResultProps) {
  const { t } = useTranslation('qr');
  const { kind } = outcome;
  useEffect(() => {
    if (kind === 'accepted' || kind === 'waiting') vibrate('success');
    if (kind === 'refused') vibrate('refused');
  }, [kind]);
  return (
    <div role="status" className="flex flex-col items-center gap-3 pt-8 text-center">
      <Outcome outcome={outcome} {...facts} />
      <div className="mt-4 grid w-full gap-2">
        <Button icon="scan" wide onClick={onAgain}>
          {t(outcome.kind === 'refused' && mayScanAgain(outcome.code) ? 'card.again' : 'result.again')}
        </Button>
        <Button kind="quiet" wide onClick={onDone}>
          {t('result.done')}
        </Button>
      </div>
    </div>
  );
}

function Outcome({ outcome, rejecting, as_peer, name }: Omit<ScanResultProps, 'onAgain' | 'onDone'>) {
  const { t } = useTranslation(['qr', 'errors']);
  switch (outcome.kind) {
    case 'sending':
      return (
        <>
          <div className="grid size-32 place-items-center text-accent">
            <Spinner size={64} />
          </div>
          <p className="text-lg">{t('result.sending')}</p>
        </>
      );
    case 'accepted':
      return rejecting ? <Rejected /> : <Confirmed name={name} points={outcome.points} as_peer={as_peer} />;
    case 'waiting':
      return <Recorded text={t(rejecting ? 'result.athleteReject' : 'result.athlete')} />;
    case 'kept':
      if (outcome.reason === 'slow') return <Recorded text={t('result.slow')} />;
      return <Recorded text={t(rejecting ? 'result.offlineReject' : 'result.offline')} />;
    case 'overtaken':
    case 'edited':
    case 'appealed':
      return (
        <>
          <Disc tone="bg-sunken text-ink-soft" icon="check" />
          <h3 className="text-2xl font-bold">{t(`result.${outcome.kind}`)}</h3>
          <p className="max-w-[34ch] text-ink-soft">{t(`result.${outcome.kind}Text`)}</p>
        </>
      );
    case 'refused':
      return (
        <>
          <Disc tone="bg-danger-tint text-danger-ink" icon="warning" />
          <h3 className="text-2xl font-bold">{t(rejecting ? 'result.refusedReject' : 'result.refused')}</h3>
          <p className="max-w-[34ch]">{isErrorCode(outcome.code) ? t(`errors:${outcome.code}`) : outcome.message}</p>
          <p className="max-w-[34ch] text-ink-soft">{`${t('result.nothingLost')} ${t(mayScanAgain(outcome.code) ? 'result.mayScanAgain' : 'result.final')}`}</p>
        </>
      );
  }
}

function Confirmed({ name, points, as_peer }: { name: string; points: number | null; as_peer: boolean }) {
  const { t } = useTranslation('qr');
  const locale = useLocale();
  return (
    <>
      <GoldMark icon={as_peer ? 'check' : 'shield'} burst />
      <h3 className="mt-2 text-2xl font-bold">{t('result.confirmed')}</h3>
      {points !== null && (
        <p className="figures text-5xl font-extrabold text-gold-ink">+{points.toLocaleString(locale)}</p>
      )}
      <p className="max-w-[34ch] text-ink-soft">
        {t(as_peer ? 'result.confirmedFriend' : 'result.confirmedText', { name })}
      </p>
    </>
  );
}

function Rejected() {
  const { t } = useTranslation('qr');
  return (
    <>
      <Disc tone="bg-sunken text-ink-soft" icon="x" />
      <h3 className="text-2xl font-bold">{t('result.rejected')}</h3>
      <p className="text-ink-soft">{t('result.rejectedText')}</p>
    </>
  );
}

/** Safe on this phone or on the server, and not decided yet: no gold for that. */
function Recorded({ text }: { text: string }) {
  return (
    <>
      <Disc tone="bg-accent-tint text-accent-ink" icon="check" />
      <p className="max-w-[26ch] text-xl font-semibold text-balance">{text}</p>
    </>
  );
}

function Disc({ tone, icon }: { tone: string; icon: 'warning' | 'x' | 'check' }) {
  return (
    <div aria-hidden="true" className={`grid size-32 place-items-center rounded-full ${tone}`}>
      <Icon name={icon} size={60} />
    </div>
  );
}
