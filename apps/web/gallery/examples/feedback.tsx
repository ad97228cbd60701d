import { ApiError } from '#web/shared/api/errors.ts';
import { Button } from '#web/shared/ui/controls/Button.tsx';
import { EmptyState } from '#web/shared/ui/feedback/EmptyState.tsx';
import { ErrorState } from '#web/shared/ui/feedback/ErrorState.tsx';
import { LoadFailed } from '#web/shared/ui/feedback/LoadFailed.tsx';
import { Loading } from '#web/shared/ui/feedback/Loading.tsx';
import { LoadingCards } from '#web/shared/ui/feedback/LoadingCards.tsx';
import { lazyPart } from '#web/shared/ui/feedback/lazy-part.tsx';
import { OfflineAge } from '#web/shared/ui/feedback/OfflineAge.tsx';
import { OneTimeLink } from '#web/shared/ui/feedback/OneTimeLink.tsx';
import { OnlineContent } from '#web/shared/ui/feedback/OnlineContent.tsx';
import { ScreenSkeleton } from '#web/shared/ui/feedback/ScreenSkeleton.tsx';
import { Skeleton } from '#web/shared/ui/feedback/Skeleton.tsx';
import { ToastRegion } from '#web/shared/ui/feedback/ToastRegion.tsx';
import { type ToastTone, toast } from '#web/shared/ui/feedback/toast.ts';
import { WhenIdle } from '#web/shared/ui/feedback/WhenIdle.tsx';
import type { Example, Examples } from './example.ts';
import type { Samples } from './samples.ts';

const unreachable = new ApiError({ code: 'NETWORK_ERROR', status: 0 });
const refused = new ApiError({ code: 'HTTP_ERROR', status: 409 });
const TONES: ToastTone[] = ['plain', 'success', 'error'];
const retry = () => {};
/** 2 h */
const AGE_MS = 7_200_000;

const link = { url: 'https://sendlap.test/setup#abcd-efgh', expires_at: new Date(Date.now() + AGE_MS).toISOString() };

/** Never loads. */
const Waiting = lazyPart<object>(() => new Promise(() => {}), [], {
  loading: <Skeleton className="h-20 rounded-lg" />,
});
const Failing = lazyPart<object>(() => Promise.reject(new Error('no code')), [], { Failed: LoadFailed });

const error_states: Example[] = [
  { state: 'refused', render: ({ title }) => <ErrorState title={title} error={refused} onRetry={retry} /> },
  { state: 'without Retry', render: ({ title }) => <ErrorState title={title} error={unreachable} /> },
  {
    state: 'unreachable (switch the network off)',
    render: ({ long, text, title }) => (
      <ErrorState title={title} error={unreachable} onRetry={retry} offline={{ title: long, text }} />
    ),
  },
];

const LOADING = { error: null, refetch: retry };
const online_content: Example[] = [
  {
    state: 'loading',
    render: ({ title }) => (
      <OnlineContent title={title} query={LOADING}>
        {null}
      </OnlineContent>
    ),
  },
  {
    state: 'error',
    render: ({ title }) => (
      <OnlineContent title={title} query={{ error: unreachable, refetch: retry }}>
        {null}
      </OnlineContent>
    ),
  },
  {
    state: 'loaded',
    render: ({ title, text }) => (
      <OnlineContent title={title} query={LOADING}>
        <p>{text}</p>
      </OnlineContent>
    ),
  },
];

export const FEEDBACK: Examples = {
  'feedback/EmptyState': [
    { state: 'default', render: ({ title, text }) => <EmptyState icon="trophy" title={title} text={text} /> },
    {
      state: 'with an action, long text',
      render: ({ long, problem, short }) => (
        <EmptyState icon="trophy" title={long} text={problem} action={<Button size="sm">{short}</Button>} />
      ),
    },
  ],
  'feedback/ErrorState': error_states,
  'feedback/LoadFailed': [
    { state: 'default', render: () => <LoadFailed busy={false} has_failed_again={false} onRetry={retry} /> },
    { state: 'busy', render: () => <LoadFailed busy has_failed_again={false} onRetry={retry} /> },
    { state: 'failed again', render: () => <LoadFailed busy={false} has_failed_again onRetry={retry} /> },
  ],
  'feedback/Skeleton': [{ state: 'default', render: () => <Skeleton className="h-20 rounded-lg" /> }],
  'feedback/Loading': [
    {
      state: 'default',
      render: () => (
        <Loading>
          <Skeleton className="h-20 rounded-lg" />
        </Loading>
      ),
    },
  ],
  'feedback/ScreenSkeleton': [{ state: 'default', render: () => <ScreenSkeleton /> }],
  'feedback/LoadingCards': [{ state: 'default', render: () => <LoadingCards /> }],
  'feedback/OnlineContent': online_content,
  'feedback/OfflineAge': [
    { state: '2 hours old (switch the network off)', render: () => <OfflineAge cached_at={Date.now() - AGE_MS} /> },
  ],
  'feedback/OneTimeLink': [
    { state: 'default', render: ({ text }) => <OneTimeLink link={link} text={text} /> },
    {
      state: 'with a code, long text',
      render: ({ problem }) => <OneTimeLink link={link} text={problem} code="ABCD-EFGH" />,
    },
  ],
  'feedback/ToastRegion': [{ state: 'to press', render: (texts) => <Toasts texts={texts} /> }],
  'feedback/WhenIdle': [
    {
      state: 'default',
      render: ({ text }) => (
        <WhenIdle>
          <p>{text}</p>
        </WhenIdle>
      ),
    },
  ],
  'feedback/lazy-part': [
    { state: 'loading', render: () => <Waiting /> },
    { state: 'failed', render: () => <Failing /> },
  ],
};

function Toasts({ texts: { title, problem, cancel } }: { texts: Samples }) {
  return (
    <div className="flex flex-wrap gap-2">
      {TONES.map((tone) => (
        <Button key={tone} kind="secondary" size="sm" onClick={() => toast({ title, tone })}>
          {tone}
        </Button>
      ))}
      <Button
        kind="secondary"
        size="sm"
        onClick={() => toast({ title, description: problem, action: { label: cancel, onPress: retry }, timeout_ms: 0 })}
      >
        long, with an action
      </Button>
      <ToastRegion />
    </div>
  );
}
