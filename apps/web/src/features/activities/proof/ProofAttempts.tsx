import type { ProofAttempt } from '@sendlap/contract/activities.ts';
import { type ErrorCode, isErrorCode } from '@sendlap/contract/wire/errors.ts';
import { useOnline } from '#web/shared/device/online.ts';
import { useLocale } from '#web/shared/i18n/use-language.ts';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { usePersonName } from '#web/shared/people/use-person-name.ts';
import { formatClock } from '#web/shared/time/format-clock.ts';
import { formatDay } from '#web/shared/time/format-day.ts';
import { Card } from '#web/shared/ui/Card.tsx';
import { Tag, type TagTone } from '#web/shared/ui/controls/Tag.tsx';
import { OfflineAge } from '#web/shared/ui/feedback/OfflineAge.tsx';

const TONES: Record<ProofAttempt['outcome'], TagTone> = {
  in_force: 'gold',
  overtaken: 'neutral',
  edited: 'neutral',
  appealed: 'neutral',
  withdrawn: 'neutral',
  waiting: 'outline',
  refused: 'danger',
};

/**
 * Refusals whose own texts speak to the scanner. The athlete reads about the scan of another person, so these have texts
 * for the athlete.
 */
const OF_SCANNER = [
  'not_a_referee',
  'sport_not_refereed',
  'code_expired',
  'code_replayed',
  'code_forged',
  'scan_in_future',
  'clock_jumped',
  'pair_limit_reached',
  'referee_limit_reached',
  'referee_own_installation',
  'device_revoked',
  'device_unknown',
  'activity_edited',
  'peer_too_new',
  'peer_not_there',
  'peer_too_soon',
] as const satisfies ErrorCode[];
type ScannerRefusal = (typeof OF_SCANNER)[number];

function isOfScanner(code: string | null): code is ScannerRefusal {
  return OF_SCANNER.some((own) => own === code);
}

interface ProofAttemptsProps {
  /** null: only the server knows. */
  proofs: ProofAttempt[] | null;
  /** When they were fetched, ms epoch, if they may be out of date. */
  cached_at: number | null;
}

/** Every proof attempt: by whom, the decision, the checks and the outcome. */
export function ProofAttempts({ proofs, cached_at }: ProofAttemptsProps) {
  const { t } = useTranslation('proofs');
  const online = useOnline();
  return (
    <Card as="section">
      <h2 className="font-semibold">{t('attempts.title')}</h2>
      {cached_at !== null && <OfflineAge cached_at={cached_at} />}
      {proofs === null || proofs.length === 0 ? (
        <p className="mt-1 text-label text-ink-soft">
          {t(proofs !== null ? 'attempts.none' : online ? 'attempts.unreached' : 'attempts.offline')}
        </p>
      ) : (
        <ol className="mt-3 flex flex-col gap-4">
          {proofs.map((attempt) => (
            <Attempt key={`${attempt.at}${attempt.outcome}${attempt.code}`} attempt={attempt} />
          ))}
        </ol>
      )}
    </Card>
  );
}

function Attempt({ attempt }: { attempt: ProofAttempt }) {
  const { t } = useTranslation('proofs');
  const locale = useLocale();
  const personName = usePersonName();
  const { method, decision, outcome, reason, by, count } = attempt;
  const at = Date.parse(attempt.at);
  const rejected = outcome === 'in_force' && decision === 'reject';
  return (
    <li>
      <div className="flex items-start justify-between gap-3">
        <p className="min-w-0 font-medium [overflow-wrap:anywhere]">
          {method === null
            ? t('attempts.noRight', { count })
            : t(`attempts.${decision}.${method}`, { name: by === null ? t('attempts.unnamed') : personName(by) })}
        </p>
        <Tag tone={rejected ? 'danger' : TONES[outcome]}>{t(`attempts.outcome.${outcome}`)}</Tag>
      </div>
      <p className="figures text-label text-ink-soft">
        {formatDay(at, locale)}, {formatClock(at, locale)}
      </p>
      {reason && <p className="mt-1 text-label [overflow-wrap:anywhere]">{t('attempts.words', { words: reason })}</p>}
      <p className="mt-1 text-sm text-ink-soft">{useOutcomeText(attempt)}</p>
    </li>
  );
}

/** Returns why the attempt does not count, or which checks it passed. */
function useOutcomeText({ method, outcome, code, distance_class }: ProofAttempt): string {
  const { t } = useTranslation(['proofs', 'errors']);
  if (method === null) return t('attempts.noRightText');
  if (outcome === 'in_force') {
    return t(`attempts.checks.${method}`, { place: t(`attempts.place.${distance_class}`) });
  }
  if (outcome === 'refused') {
    // The athlete scans a kiosk's code, and others scan the athlete's.
    if (method !== 'venue' && isOfScanner(code)) return t(`attempts.byOthers.${code}`);
    return isErrorCode(code) ? t(`errors:${code}`) : (code ?? '');
  }
  if (method === 'venue' && outcome === 'waiting') return t('attempts.waitingVenue');
  return t(`attempts.${outcome}Text`);
}
