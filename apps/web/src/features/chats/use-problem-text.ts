import type { ChatProblem } from '@sendlap/domain/chat-ids.ts';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { problemText } from './problem-text.ts';

/** Why a chat cannot be opened or started, in the user's language. */
export function useProblemText(): (problem: ChatProblem) => string {
  const { t } = useTranslation('chats');
  return (problem) => problemText(t, problem);
}
