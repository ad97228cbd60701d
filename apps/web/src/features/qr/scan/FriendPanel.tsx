import type { ReactNode } from 'react';
import { useUser } from '#web/shared/api/use-session.ts';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { Button } from '#web/shared/ui/controls/Button.tsx';
import { Icon } from '#web/shared/ui/icons/Icon.tsx';
import { useCopyToClipboard } from '../code/use-copy-to-clipboard.ts';

interface FriendPanelProps {
  public_id: string;
  /** Who has this public id, and the friend request button; provided by the friends feature. */
  renderFriend: (public_id: string) => ReactNode;
  onScanAgain: () => void;
}

/** A scanned friend code: whose it is, and the public id exactly as it must be typed. */
export function FriendPanel({ public_id, renderFriend, onScanAgain }: FriendPanelProps) {
  const { t } = useTranslation('qr');
  const copy = useCopyToClipboard();
  const own = useUser().public_id === public_id;
  return (
    <div className="flex flex-col gap-4">
      {own ? (
        <>
          <div className="flex items-center gap-4 rounded-lg bg-sunken p-4">
            <span className="grid size-14 shrink-0 place-items-center rounded-full bg-accent-tint text-accent-ink">
              <Icon name="user" size={30} />
            </span>
            <div className="min-w-0">
              <p className="text-sm text-ink-soft">{t('friend.id')}</p>
              <p className="figures text-xl font-semibold wrap-anywhere select-all">{public_id}</p>
            </div>
          </div>
          <p className="text-ink-soft">{t('friend.own')}</p>
        </>
      ) : (
        <>
          {renderFriend(public_id)}
          <Button kind="secondary" icon="copy" wide onClick={() => copy(public_id)}>
            {t('friend.copy')}
          </Button>
        </>
      )}
      <Button kind={own ? 'secondary' : 'quiet'} icon="scan" wide onClick={onScanAgain}>
        {t('card.again')}
      </Button>
    </div>
  );
}
