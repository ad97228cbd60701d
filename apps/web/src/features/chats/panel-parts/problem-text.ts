import type { ChatProblem } from '@sendlap/domain/chats/chat-ids.ts';
import type { Translate } from '#web/shared/i18n/texts.ts';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';

/** Why a chat cannot be opened or started, in the language of `t` (spec, section 5). */
export function problemText(t: Translate<'chats'>, problem: ChatProblem): string {
  return 'value' in problem ? t(`problem.${problem.code}`, { value: problem.value }) : t(`problem.${problem.code}`);
}

/** Why a chat cannot be opened or started, in the user's language. */
export function useProblemText(): (problem: ChatProblem) => string {
  const { t } = useTranslation('chats');
  return (problem) => problemText(t, problem);
}
