import type { Activity } from '@sendlap/contract/activities.ts';
import type { IconName } from './icon-paths.ts';

/** Icon on the gold of a confirmation: the shield is only for referees. */
export function proofIcon(validation: Activity['validation']): IconName {
  return validation === 'referee' ? 'shield' : 'check';
}
