import type { Person } from '@sendlap/contract/friends.ts';
import { useUser } from '#web/shared/api/use-session.ts';
import { useErrorText } from '#web/shared/i18n/use-error-text.ts';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { usePersonName } from '#web/shared/people/use-person-name.ts';
import { toast } from '#web/shared/ui/feedback/toast.ts';
import { useAcceptRequest, useCancelRequest, useDeclineRequest, useRequestFriend } from './queries.ts';

/** The actions on requests; each shows its outcome in a toast. `busy`: one of them is in flight. */
export function useFriendActions() {
  const { t } = useTranslation('friends');
  const user = useUser();
  const personName = usePersonName();
  const toastFailure = useFailureToast();
  const request = useRequestFriend(user.id);
  const accept = useAcceptRequest(user.id);
  const decline = useDeclineRequest(user.id);
  const cancel = useCancelRequest(user.id);
  // Promises instead of mutation callbacks: the row may be unmounted by then, and its callbacks would not run.
  const toastResult = <Answer>(
    pending: Promise<Answer>,
    failure_title: string,
    successTitle: (answer: Answer) => string,
  ) =>
    void pending.then((answer) => toast({ title: successTitle(answer), tone: 'success' }), toastFailure(failure_title));
  return {
    busy: request.isPending || accept.isPending || decline.isPending || cancel.isPending,
    request: ({ name, public_id }: Person) =>
      toastResult(request.mutateAsync(public_id), t('failed.send'), ({ status }) =>
        t(status === 'accepted' ? 'done.accepted' : 'done.requested', { name: personName(name) }),
      ),
    accept: ({ name }: Person, id: string) =>
      toastResult(accept.mutateAsync(id), t('failed.accept'), () => t('done.accepted', { name: personName(name) })),
    decline: ({ name }: Person, id: string) =>
      toastResult(decline.mutateAsync(id), t('failed.decline'), () => t('done.declined', { name: personName(name) })),
    cancel: ({ name }: Person, id: string) =>
      toastResult(cancel.mutateAsync(id), t('failed.cancel'), () => t('done.cancelled', { name: personName(name) })),
  };
}

/** Returns a function that builds an error handler: its toast says which action failed (`title`) and why. */
export function useFailureToast(): (title: string) => (error: unknown) => void {
  const errorText = useErrorText();
  return (title) => (error) => void toast({ title, description: errorText(error), tone: 'error' });
}
