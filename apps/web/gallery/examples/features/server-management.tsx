import { ConfirmedAction } from '#web/features/server-management/ConfirmedAction.tsx';
import { LoadingOrError } from '#web/features/server-management/LoadingOrError.tsx';
import { MoreButton } from '#web/features/server-management/MoreButton.tsx';
import { PersonLink } from '#web/features/server-management/PersonLink.tsx';
import { ServerManagementScreen } from '#web/features/server-management/ServerManagementScreen.tsx';
import { UserTags } from '#web/features/server-management/UserTags.tsx';
import { ApiError } from '#web/shared/api/errors.ts';
import type { Examples } from '../example.ts';
import { before, DAY_MS, LONG_PERSON, NORA, RTL_PERSON } from './data.ts';
import { ignore } from './interaction.tsx';

const unreachable = new ApiError({ code: 'NETWORK_ERROR', status: 0 });
const IDLE = { isPending: false, error: null };
const PERSON = { ...NORA, state: 'active', is_operator: false, is_referee: false, created_at: before(DAY_MS) } as const;
const LAST = {
  hasNextPage: false,
  isFetchingNextPage: false,
  isFetchNextPageError: false,
  error: null,
  fetchNextPage: ignore,
};
const DELETED = { name: '', public_id: 'deleted-user' };

export const SERVER_MANAGEMENT: Examples = {
  ConfirmedAction: [
    {
      state: 'default',
      render: ({ short, question }) => (
        <ConfirmedAction label={short} question={question} mutation={IDLE} onConfirm={ignore} />
      ),
    },
    {
      state: 'with a reason and a text to type',
      render: ({ long, question }) => (
        <ConfirmedAction
          label={long}
          question={question}
          mutation={{ isPending: false, error: unreachable }}
          has_reason
          typed={NORA.public_id}
          onConfirm={ignore}
        />
      ),
    },
  ],
  MoreButton: [
    { state: 'last page: nothing', query: LAST },
    { state: 'default', query: { ...LAST, hasNextPage: true } },
    { state: 'busy', query: { ...LAST, hasNextPage: true, isFetchingNextPage: true } },
    { state: 'failed', query: { ...LAST, hasNextPage: true, isFetchNextPageError: true, error: unreachable } },
  ].map(({ state, query }) => ({ state, render: () => <MoreButton query={query} /> })),
  LoadingOrError: [
    { state: 'loading', render: () => <LoadingOrError error={null} onRetry={ignore} /> },
    { state: 'failed (switch the network off)', render: () => <LoadingOrError error={unreachable} onRetry={ignore} /> },
  ],
  UserTags: [
    { state: 'operator and referee', person: { ...PERSON, is_operator: true, is_referee: true } },
    { state: 'locked', person: { ...PERSON, state: 'suspended' as const, is_referee: true } },
    { state: 'leaving', person: { ...PERSON, state: 'leaving' as const } },
  ].map(({ state, person }) => ({ state, render: () => <UserTags person={person} /> })),
  PersonLink: [NORA, LONG_PERSON, RTL_PERSON, DELETED].map((person) => ({
    state: person.public_id,
    render: () => <PersonLink person={person} />,
  })),
  ServerManagementScreen: [
    {
      state: 'long title',
      render: ({ long, text }) => (
        <ServerManagementScreen title={long} back="/">
          {text}
        </ServerManagementScreen>
      ),
    },
  ],
};
