import type { ChatProblem } from '@sendlap/domain/chat-ids.ts';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { Icon } from '#web/shared/ui/Icon.tsx';
import { Problem } from '#web/shared/ui/Problem.tsx';
import { PanelHead } from './PanelHead.tsx';
import { useProblemText } from './use-problem-text.ts';

/** The messages view without a chat: why there is none, and that nothing can be sent. */
export function NoChat({ problem }: { problem: ChatProblem | null }) {
  const { t } = useTranslation('chats');
  const problemText = useProblemText();
  return (
    <>
      <PanelHead back title={t('title')} />
      <div className="flex min-h-0 flex-1 flex-col gap-4 overflow-y-auto p-4 wrap-anywhere">
        {problem && <Problem>{problemText(problem)}</Problem>}
        <div className="m-auto flex flex-col items-center gap-3 text-ink-soft">
          <Icon name="chat" size={40} />
          <p className="text-lg font-semibold">{t('messages.none')}</p>
        </div>
      </div>
      <p className="shrink-0 border-t border-line bg-surface px-4 py-3 text-[0.9375rem] text-ink-soft">
        {t('composer.noId')}
      </p>
    </>
  );
}
