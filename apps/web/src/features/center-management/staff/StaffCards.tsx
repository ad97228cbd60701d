import type { CenterStaff } from '@sendlap/contract/center-staff.ts';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { KiosksCard } from './KiosksCard.tsx';
import { ManagersCard } from './ManagersCard.tsx';
import { staffQuery } from './queries.ts';
import { RefereesCard } from './RefereesCard.tsx';

/** Who confirms activities at a center, and who manages it. */
export function StaffCards({ id, staff }: { id: string; staff: CenterStaff }) {
  const [is_watching, setWatching] = useState(false);
  useQuery(staffQuery(id, is_watching));
  const onInvited = () => setWatching(true);
  return (
    <>
      <KiosksCard id={id} kiosks={staff.kiosks} onInvited={onInvited} />
      <RefereesCard id={id} referees={staff.referees} onInvited={onInvited} />
      <ManagersCard id={id} managers={staff.managers} onInvited={onInvited} />
    </>
  );
}
