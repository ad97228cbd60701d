import { redeemManagerInvite } from '@sendlap/contract/center-management/managers.ts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useLocation } from 'wouter';
import { call } from '#web/shared/api/client.ts';
import { useUser } from '#web/shared/api/use-session.ts';
import { managedCentersQuery } from '#web/shared/data/managed-centers.ts';
import { useErrorText } from '#web/shared/i18n/use-error-text.ts';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { centerManagementPath, sportCenterPath } from '#web/shared/paths.ts';
import { Card } from '#web/shared/ui/Card.tsx';
import { Button } from '#web/shared/ui/controls/Button.tsx';
import { NetworkButton } from '#web/shared/ui/controls/NetworkButton.tsx';
import { Problem } from '#web/shared/ui/controls/Problem.tsx';

interface ManagerInviteProps {
  /** Of the center in the address. */
  id: string;
  /** The one-time code. */
  code: string;
  /** The center's name, once it is loaded. */
  name: string | undefined;
}

/** Says what a manager may do, and makes the user one only when they agree. */
export function ManagerInvite({ id, code, name }: ManagerInviteProps) {
  const { t } = useTranslation('center-management');
  const errorText = useErrorText();
  const queries = useQueryClient();
  const [, navigate] = useLocation();
  const user = useUser();
  const redeem = useMutation({
    mutationFn: () => call(redeemManagerInvite, { body: { code } }),
    // Without the fragment: the code has served.
    onSuccess: async ({ sport_center_id }) => {
      await queries.invalidateQueries(managedCentersQuery(user.id));
      navigate(centerManagementPath(sport_center_id), { replace: true });
    },
  });
  return (
    <Card as="section" className="flex flex-col gap-3">
      <h2 className="text-lg font-bold">{name ? t('invite.title', { center: name }) : t('invite.untitled')}</h2>
      <p className="text-ink-soft">{t('invite.text')}</p>
      {redeem.error && <Problem>{errorText(redeem.error)}</Problem>}
      <NetworkButton icon="check" wide busy={redeem.isPending} onClick={() => redeem.mutate()}>
        {t('invite.accept')}
      </NetworkButton>
      <Button kind="quiet" wide onClick={() => navigate(sportCenterPath(id), { replace: true })}>
        {t('invite.later')}
      </Button>
    </Card>
  );
}
