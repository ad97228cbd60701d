import { isVenueLimit } from '@sendlap/domain/proof/fair-proof.ts';
import { useOnline } from '#web/shared/device/online.ts';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { useServerNow } from '#web/shared/time/use-now.ts';
import { Card } from '#web/shared/ui/Card.tsx';
import { classes } from '#web/shared/ui/classes.ts';
import { Icon } from '#web/shared/ui/icons/Icon.tsx';
import type { IconName } from '#web/shared/ui/icons/icon-paths.ts';
import { proofIcon } from '#web/shared/ui/icons/proof-icon.ts';
import type { ActivityView } from '../data/activity-view.ts';
import { isConfirmable } from '../data/week.ts';

type ProofStepState = 'done' | 'next' | 'gold' | 'failed';

interface ProofStep {
  title: string;
  text: string;
  state: ProofStepState;
}

const DISCS: Record<ProofStepState, string> = {
  done: 'bg-ink text-page',
  next: 'text-ink-faint inset-ring-2 inset-ring-line',
  gold: 'bg-gold text-on-gold',
  failed: 'bg-danger text-on-danger',
};
const ICONS: Record<Exclude<ProofStepState, 'gold'>, IconName> = { done: 'check', next: 'clock', failed: 'x' };

/** From this phone to the server to the referee: the activity's progress and its next step. */
export function ProofSteps({ activity }: { activity: ActivityView }) {
  const { t } = useTranslation('activities');
  const steps = useProofSteps(activity);
  return (
    <Card as="section" aria-label={t('proof.label')}>
      <ol>
        {steps.map((step, index) => (
          <li key={step.title} className="relative flex gap-3 pb-4 last:pb-0">
            {index < steps.length - 1 && (
              <span
                aria-hidden="true"
                className={classes(
                  'absolute top-8 bottom-0 left-[15px] w-0.5',
                  step.state === 'next' ? 'bg-line' : 'bg-ink',
                )}
              />
            )}
            <span
              aria-hidden="true"
              className={`grid size-8 shrink-0 place-items-center rounded-full ${DISCS[step.state]}`}
            >
              <Icon name={step.state === 'gold' ? proofIcon(activity.validation) : ICONS[step.state]} size={18} />
            </span>
            <div className={step.state === 'next' ? 'text-ink-soft' : ''}>
              <p className="leading-[2] font-semibold">{step.title}</p>
              <p className="-mt-1 text-label text-ink-soft">{step.text}</p>
            </div>
          </li>
        ))}
      </ol>
    </Card>
  );
}

function useProofSteps(activity: ActivityView): ProofStep[] {
  const { t } = useTranslation('activities');
  const online = useOnline();
  const confirmable = isConfirmable(activity, useServerNow());
  const { proof, validation, proof_note } = activity;
  const sent = proof !== 'saved' && proof !== 'refused';
  const saved: ProofStep = { title: t('proof.savedTitle'), text: t('proof.savedText'), state: 'done' };
  if (proof === 'refused')
    return [saved, { title: t('proof.refusedTitle'), text: t('refused.title'), state: 'failed' }];
  const on_server: ProofStep = {
    title: t('proof.sentTitle'),
    text: t(sent ? 'proof.sentText' : online ? 'proof.sentSoon' : 'proof.sentLater'),
    state: sent ? 'done' : 'next',
  };
  if (proof === 'rejected') {
    return [saved, on_server, { title: t('proof.rejectedTitle'), text: t('proof.rejectedText'), state: 'failed' }];
  }
  const validated = proof === 'validated';
  const text = validated
    ? t(`proof.validatedBy.${isVenueLimit(proof_note) ? 'venue' : validation}`)
    : t(confirmable ? 'proof.validatedLater' : 'proof.validatedOver');
  return [saved, on_server, { title: t('proof.validatedTitle'), text, state: validated ? 'gold' : 'next' }];
}
