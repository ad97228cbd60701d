import type { User } from '@sendlap/contract/users.ts';
import { useState } from 'react';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { Card } from '#web/shared/ui/Card.tsx';
import { Icon } from '#web/shared/ui/Icon.tsx';
import type { IconName } from '#web/shared/ui/icon-paths.ts';
import { NetworkButton } from '#web/shared/ui/NetworkButton.tsx';
import { Sheet } from '#web/shared/ui/Sheet.tsx';
import { DeleteAccountForm } from './DeleteAccountForm.tsx';

const CONSEQUENCES = [
  { icon: 'shield', text: 'account.deleteLocked' },
  { icon: 'trash', text: 'account.deleteErased' },
  { icon: 'sync', text: 'account.deleteUndo' },
  { icon: 'user', text: 'account.deleteOthers' },
] as const satisfies { icon: IconName; text: string }[];

/** What a deletion does, and the way to it. */
export function DeleteAccountCard({ user }: { user: User }) {
  const { t } = useTranslation('users');
  const [open, setOpen] = useState(false);
  return (
    <Card as="section" className="flex flex-col gap-3">
      <h2 className="text-xl font-bold">{t('account.deleteTitle')}</h2>
      <ul className="flex flex-col gap-2.5 text-ink-soft">
        {CONSEQUENCES.map(({ icon, text }) => (
          <li key={text} className="flex items-start gap-3">
            <Icon name={icon} size={22} className="mt-0.5 shrink-0 text-ink-faint" />
            {t(text)}
          </li>
        ))}
      </ul>
      <NetworkButton wide kind="danger" icon="trash" className="mt-1" onClick={() => setOpen(true)}>
        {t('account.delete')}
      </NetworkButton>
      <Sheet
        open={open}
        onOpenChange={setOpen}
        title={t('account.confirmTitle')}
        description={`${t('account.deleteLocked')} ${t('account.deleteErased')}`}
      >
        <DeleteAccountForm user={user} />
      </Sheet>
    </Card>
  );
}
