import { useTranslation } from 'react-i18next';
import { Badge, type BadgeTone } from './Badge.tsx';
import type { IconName } from './icon-paths.ts';

/** How far an activity has come: on this device, on the server, confirmed. */
export type Proof = 'saved' | 'pending' | 'finished' | 'validated' | 'rejected';

const LOOKS: Record<Proof, { tone: BadgeTone; icon: IconName }> = {
  saved: { tone: 'outline', icon: 'check' },
  pending: { tone: 'outline', icon: 'sync' },
  finished: { tone: 'neutral', icon: 'clock' },
  validated: { tone: 'gold', icon: 'shield' },
  rejected: { tone: 'danger', icon: 'x' },
};

/** Saved, pending and validated differ in shape, colour and icon, so that nobody has to read to see it. */
export function ProofChip({ proof }: { proof: Proof }) {
  const { t } = useTranslation('shell');
  const { tone, icon } = LOOKS[proof];
  return (
    <Badge tone={tone} icon={icon}>
      {t(`proof.${proof}`)}
    </Badge>
  );
}
