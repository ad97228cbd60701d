import type { Activity } from '@sendlap/contract/activities.ts';
import type { IconName } from './icon-paths.ts';

/** What stands in the gold of a confirmation: the shield is a referee's alone. */
export function proofIcon(validation: Activity['validation']): IconName {
  return validation === 'referee' ? 'shield' : 'check';
}
