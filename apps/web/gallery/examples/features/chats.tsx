import { ERASED_USER_ID } from '#web/features/chats/data/erased-user.ts';
import type { MessageStatus } from '#web/features/chats/data/message-lines.ts';
import { RowSkeletons } from '#web/features/chats/list/RowSkeletons.tsx';
import { ChatTitle } from '#web/features/chats/panel-parts/ChatTitle.tsx';
import { LoadError, RetryBar } from '#web/features/chats/panel-parts/LoadError.tsx';
import { MessageBubble } from '#web/features/chats/thread/MessageBubble.tsx';
import { MessageText } from '#web/features/chats/thread/MessageText.tsx';
import type { Example, Examples } from '../example.ts';
import { chatWith, LONG_PERSON, NAMELESS, NORA, NOW, RTL_PERSON } from './data.ts';
import { ignore } from './interaction.tsx';

const title = (state: string, person: typeof NORA, is_typing = false): Example => ({
  state,
  render: () => <ChatTitle chat={chatWith(person)} is_typing={is_typing} renderPerson={() => null} />,
});

const message = (state: string, text: string): Example => ({ state, render: () => <MessageText text={text} /> });

const bubble = (status: MessageStatus, text: string): Example => ({
  state: text === '' ? `${status}, deleted` : status,
  render: () => {
    const mine = status !== 'received';
    const line = {
      id: status,
      seq: 1,
      text,
      mine,
      status,
      sender_name: '',
      created_at: NOW,
      problem: null,
      unread: false,
    };
    const row = { line, day: null, is_new: false, is_first: true, is_last: true };
    return <MessageBubble row={row} name={LONG_PERSON.name} observe={() => undefined} />;
  },
});
const STATUSES: MessageStatus[] = ['sending', 'waiting', 'sent', 'read', 'failed', 'received'];

export const CHATS: Examples = {
  'thread/MessageBubble': [
    ...STATUSES.map((status) => bubble(status, '¿Escalamos mañana a las 18:00 en la sala grande?')),
    bubble('received', ''),
  ],
  'panel-parts/ChatTitle': [
    { state: 'no chat yet', render: () => <ChatTitle chat={undefined} is_typing={false} renderPerson={() => null} /> },
    title('default', NORA),
    title('long name, typing', LONG_PERSON, true),
    title('right to left, typing', RTL_PERSON, true),
    title('without a name', NAMELESS),
    title('deleted account', { ...NAMELESS, id: ERASED_USER_ID }),
  ],
  'panel-parts/LoadError': [
    {
      state: 'default',
      render: ({ title: text, hint }) => <LoadError title={text} text={hint} error={null} onRetry={ignore} />,
    },
    {
      state: 'long text',
      render: ({ long, problem }) => <LoadError title={long} text={problem} error={null} onRetry={ignore} />,
    },
    { state: 'bar', render: ({ error }) => <RetryBar text={error} className="border-b py-1" onRetry={ignore} /> },
    {
      state: 'bar, long text, busy',
      render: ({ problem }) => <RetryBar text={problem} busy className="border-t py-2" onRetry={ignore} />,
    },
  ],
  'list/RowSkeletons': [{ state: 'default', render: () => <RowSkeletons /> }],
  'thread/MessageText': [
    message('several lines', '¿Vamos mañana?\n\n- 18:00 en la puerta\n- trae las gafas'),
    message('a link', 'Mira: https://www.sharmaclimbing.example/madrid/vias-nuevas?semana=48&sala=grande#desplome'),
    message('a link whose text lies', 'https://sendlap.example@evil.example/login'),
    message('emoji', '💪🏽🧗‍♀️'),
    message('right to left', 'نلتقي غدا في المسبح عند الساعة 18:00'),
    message('both directions', 'Sara (سارة) escribió: «نعم» a las 18:00'),
    { state: 'without a space', render: ({ unbroken }) => <MessageText text={unbroken.repeat(3)} /> },
  ],
};
