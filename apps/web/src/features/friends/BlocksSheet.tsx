import type { Block } from '@sendlap/contract/friends.ts';
import { useQuery } from '@tanstack/react-query';
import { isUnreachable } from '#web/shared/api/errors.ts';
import { useUser } from '#web/shared/api/use-session.ts';
import { useOnline } from '#web/shared/device/online.ts';
import { useLocale } from '#web/shared/i18n/use-language.ts';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { Avatar } from '#web/shared/people/Avatar.tsx';
import { chosenName, usePersonName } from '#web/shared/people/use-person-name.ts';
import { formatDateOf } from '#web/shared/time/format-date.ts';
import { Button } from '#web/shared/ui/controls/Button.tsx';
import { ErrorState } from '#web/shared/ui/feedback/ErrorState.tsx';
import { Loading } from '#web/shared/ui/feedback/Loading.tsx';
import { Skeleton } from '#web/shared/ui/feedback/Skeleton.tsx';
import { toast } from '#web/shared/ui/feedback/toast.ts';
import { Sheet } from '#web/shared/ui/sheet/Sheet.tsx';
import { listBlocksQuery, useUnblockUser } from './people/queries.ts';
import { useFailureToast } from './people/use-friend-actions.ts';

/** The users I have blocked, with a button to unblock each. */
export function BlocksSheet({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('friends');
  return (
    <Sheet open onOpenChange={(open) => !open && onClose()} title={t('blocks.title')} description={t('blocks.text')}>
      <BlockList />
    </Sheet>
  );
}

function BlockList() {
  const { t } = useTranslation('friends');
  const user = useUser();
  const online = useOnline();
  const blocks = useQuery(listBlocksQuery(user.id));
  if (!blocks.data) {
    if (blocks.isPending)
      return (
        <Loading>
          <Skeleton className="h-16 rounded-lg" />
        </Loading>
      );
    if (!online && isUnreachable(blocks.error)) return <p className="text-ink-soft">{t('blocks.offline')}</p>;
    return <ErrorState title={t('failed.loadBlocks')} error={blocks.error} onRetry={() => void blocks.refetch()} />;
  }
  if (blocks.data.length === 0) return <p className="text-ink-soft">{t('blocks.empty')}</p>;
  return (
    <ul>
      {blocks.data.map((block) => (
        <BlockRow key={block.id} user_id={user.id} block={block} />
      ))}
    </ul>
  );
}

function BlockRow({ user_id, block }: { user_id: string; block: Block }) {
  const { t } = useTranslation('friends');
  const locale = useLocale();
  const online = useOnline();
  const personName = usePersonName();
  const fail = useFailureToast();
  const unblock = useUnblockUser(user_id);
  const name = personName(block.name);
  const date = formatDateOf(block.created_at, locale);
  const undo = () =>
    unblock
      .mutateAsync(block.id)
      .then(() => toast({ title: t('done.unblocked', { name }), tone: 'success' }), fail(t('failed.unblock')));
  return (
    <li className="flex flex-wrap items-center gap-x-3.5 gap-y-2 py-2">
      <Avatar name={chosenName(block.name)} />
      <span className="min-w-0 grow basis-[7rem]">
        <span className="block font-semibold wrap-anywhere">
          <bdi>{name}</bdi>
        </span>
        <span className="block text-sm text-ink-faint">{t('blocks.since', { date })}</span>
      </span>
      <Button
        size="sm"
        kind="secondary"
        busy={unblock.isPending}
        disabled={!online}
        aria-label={t('action.unblockThat', { name })}
        onClick={() => void undo()}
      >
        {t('action.unblock')}
      </Button>
    </li>
  );
}
