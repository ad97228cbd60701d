import type { Activity } from '@sendlap/contract/activities.ts';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import type { IconName } from '../icons/icon-paths.ts';
import { proofIcon } from '../icons/proof-icon.ts';
import { Tag, type TagTone } from './Tag.tsx';

/** The progress of an activity: on this device, on the server, confirmed. */
export type ProofState = 'saved' | 'finished' | 'validated' | 'rejected';

const STYLES: Record<ProofState, { tone: TagTone; icon: IconName }> = {
  saved: { tone: 'outline', icon: 'check' },
  finished: { tone: 'neutral', icon: 'clock' },
  validated: { tone: 'gold', icon: 'check' },
  rejected: { tone: 'danger', icon: 'x' },
};

interface ProofChipProps {
  proof: ProofState;
  /** The kind of confirmation, once it is validated. */
  validation?: Activity['validation'];
}

/** Each state has a tone of its own, so that the user need not read the text. */
export function ProofChip({ proof, validation = 'none' }: ProofChipProps) {
  const { t } = useTranslation('shell');
  const { tone, icon } = STYLES[proof];
  return (
    <Tag tone={tone} icon={proof === 'validated' ? proofIcon(validation) : icon}>
      {t(`proof.${proof}`)}
    </Tag>
  );
}
