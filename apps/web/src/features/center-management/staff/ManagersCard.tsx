import type { CenterStaff } from '@sendlap/contract/center-management/center-staff.ts';
import { useQuery } from '@tanstack/react-query';
import { useLocation } from 'wouter';
import { useUser } from '#web/shared/api/use-session.ts';
import { operatorRightQuery } from '#web/shared/data/operator-right.ts';
import { useLocale } from '#web/shared/i18n/use-language.ts';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { sportCenterPath } from '#web/shared/paths.ts';
import { formatDateOf } from '#web/shared/time/format-date.ts';
import { Card } from '#web/shared/ui/Card.tsx';
import { ConfirmedButton } from '#web/shared/ui/controls/ConfirmedButton.tsx';
import { toast } from '#web/shared/ui/feedback/toast.ts';
import { useRetainedFocus } from '#web/shared/ui/use-retained-focus.ts';
import { InvitePanel } from './InvitePanel.tsx';
import { useRevokeManager } from './queries.ts';

type Manager = CenterStaff['managers'][number];

interface ManagersCardProps {
  id: string;
  managers: Manager[];
  onInvited: () => void;
}

/** The people who may use this page. A manager ends only their own right; operators end that of all. */
export function ManagersCard({ id, managers, onInvited }: ManagersCardProps) {
  const { t } = useTranslation('center-management');
  // The focus of a removed button.
  const heading = useRetainedFocus<HTMLHeadingElement>('section');
  const me = useUser();
  const { data: right } = useQuery(operatorRightQuery(me.id));
  return (
    <Card as="section" className="flex flex-col gap-3">
      <h2 ref={heading} tabIndex={-1} className="text-lg font-bold outline-none">
        {t('manager.title')}
      </h2>
      <p className="text-ink-soft">{t('manager.text')}</p>
      <InvitePanel sport_center_id={id} kind="manager" count={managers.length} onInvited={onInvited} />
      {managers.length > 0 && (
        <ul className="flex flex-col gap-4">
          {managers.map((manager) => {
            const is_me = manager.public_id === me.public_id;
            const can_end = !is_me && right?.is_operator === true;
            return <ManagerRow key={manager.public_id} id={id} manager={manager} is_me={is_me} can_end={can_end} />;
          })}
        </ul>
      )}
      {managers.some(({ public_id }) => public_id === me.public_id) && <LeaveButton id={id} public_id={me.public_id} />}
    </Card>
  );
}

interface ManagerRowProps {
  id: string;
  manager: Manager;
  is_me: boolean;
  /** The user may end the right of this other manager. */
  can_end: boolean;
}

function ManagerRow({ id, manager: { name, public_id, granted_at }, is_me, can_end }: ManagerRowProps) {
  const { t } = useTranslation('center-management');
  const locale = useLocale();
  const revoke = useRevokeManager(id);
  const date = formatDateOf(granted_at, locale);
  return (
    <li className="flex flex-col gap-2">
      <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <bdi className="min-w-0 font-semibold wrap-anywhere">{is_me ? t('manager.me', { name }) : name}</bdi>
        <span className="text-sm text-ink-faint">{public_id}</span>
        <span className="w-full text-sm text-ink-soft">{t('manager.since', { date })}</span>
      </div>
      {can_end && (
        <ConfirmedButton
          label={t('manager.revoke', { name })}
          question={t('manager.revokeWhy', { name })}
          cancel={t('keep')}
          mutation={revoke}
          onConfirm={() => revoke.mutate(public_id)}
        />
      )}
    </li>
  );
}

/** Ends the user's own right. Last in the card, apart from the people. */
function LeaveButton({ id, public_id }: { id: string; public_id: string }) {
  const { t } = useTranslation('center-management');
  const [, navigate] = useLocation();
  const revoke = useRevokeManager(id);
  const leave = () => {
    toast({ title: t('manager.left'), tone: 'success' });
    navigate(sportCenterPath(id));
  };
  return (
    <div className="mt-2 border-t border-line pt-4">
      <ConfirmedButton
        label={t('manager.leave')}
        question={t('manager.leaveWhy')}
        cancel={t('keep')}
        mutation={revoke}
        onConfirm={() => revoke.mutate(public_id, { onSuccess: leave })}
      />
    </div>
  );
}
