import type { CenterStaff } from '@sendlap/contract/center-management/center-staff.ts';
import { KiosksCard } from './KiosksCard.tsx';
import { ManagersCard } from './ManagersCard.tsx';
import { RefereesCard } from './RefereesCard.tsx';

interface StaffCardsProps {
  id: string;
  staff: CenterStaff;
  onInvited: () => void;
}

/** Who confirms activities at a center, and who manages it. */
export function StaffCards({ id, staff: { kiosks, referees, managers }, onInvited }: StaffCardsProps) {
  return (
    <>
      <KiosksCard id={id} kiosks={kiosks} onInvited={onInvited} />
      <RefereesCard id={id} referees={referees} onInvited={onInvited} />
      <ManagersCard id={id} managers={managers} onInvited={onInvited} />
    </>
  );
}
