import { useTranslation } from 'react-i18next';
import { useUser } from '#web/shared/api/use-session.ts';
import { Button } from '#web/shared/ui/Button.tsx';
import { Icon } from '#web/shared/ui/Icon.tsx';
import { useCopy } from './use-copy.ts';

interface FriendPanelProps {
  public_id: string;
  onAgain: () => void;
}

/** Somebody who wants to be found: the id in their code, exactly as it has to be written. */
export function FriendPanel({ public_id, onAgain }: FriendPanelProps) {
  const { t } = useTranslation('qr');
  const copy = useCopy();
  const own = useUser().public_id === public_id;
  return (
    <div className="flex flex-col gap-4">
      <div className="flex items-center gap-4 rounded-lg bg-sunken p-4">
        <span className="grid size-14 shrink-0 place-items-center rounded-full bg-accent-tint text-accent-ink">
          <Icon name="user" size={30} />
        </span>
        <div className="min-w-0">
          <p className="text-sm text-ink-soft">{t('friend.id')}</p>
          <p className="figures text-xl font-semibold wrap-anywhere select-all">{public_id}</p>
        </div>
      </div>
      <p className="text-ink-soft">{t(own ? 'friend.own' : 'friend.text')}</p>
      {!own && (
        <Button icon="copy" wide onClick={() => copy(public_id)}>
          {t('friend.copy')}
        </Button>
      )}
      <Button kind={own ? 'secondary' : 'quiet'} icon="scan" wide onClick={onAgain}>
        {t('card.again')}
      </Button>
    </div>
  );
}
