import type { Relation } from '@sendlap/contract/friends.ts';
import { friendOf } from '#test/models/chat-model.ts';
import { athlete } from '#test/people.ts';
import { FriendList } from '#web/features/friends/FriendList.tsx';
import { PersonHeader } from '#web/features/friends/people/PersonHeader.tsx';
import { PersonRow } from '#web/features/friends/people/PersonRow.tsx';
import { Button } from '#web/shared/ui/controls/Button.tsx';
import type { Example, Examples } from '../example.ts';
import { LONG_NAME, LONG_PERSON, NORA, PEOPLE, RTL_NAME } from './data.ts';
import { ignore } from './interaction.tsx';

const NAMES = ['Eve', 'Max', 'Iñaki', 'Zoe', 'Ángel', 'Ona', 'Biel', 'Leire', 'Pau', 'Noa', LONG_NAME, RTL_NAME];
const FRIENDS = NAMES.map((name, nth) => friendOf(athlete(name, nth, { public_id: `friend.${nth}` })));
const RELATIONS: Relation[] = ['none', 'self', 'friend', 'incoming', 'outgoing'];

const list = (state: string, count: number): Example => ({
  state,
  render: () => <FriendList friends={FRIENDS.slice(0, count)} onOpen={ignore} onMessage={ignore} />,
});

export const FRIEND_PARTS: Examples = {
  FriendList: [list('none', 0), list('one', 1), list('many, with a filter', NAMES.length)],
  'people/PersonHeader': [
    ...RELATIONS.map(
      (relation): Example => ({ state: relation, render: () => <PersonHeader person={NORA} relation={relation} /> }),
    ),
    { state: 'long name', render: () => <PersonHeader person={LONG_PERSON} relation="incoming" /> },
  ],
  'people/PersonRow': [
    {
      state: 'each kind of name',
      render: ({ hint }) => (
        <ul>
          {PEOPLE.map((person) => (
            <PersonRow key={person.id} person={person} note={hint} onOpen={ignore} />
          ))}
        </ul>
      ),
    },
    {
      state: 'with buttons',
      render: ({ short, label }) => (
        <ul>
          {PEOPLE.map((person) => (
            <PersonRow key={person.id} person={person} onOpen={ignore}>
              <Button size="sm">{label}</Button>
              <Button size="sm" kind="secondary">
                {short}
              </Button>
            </PersonRow>
          ))}
        </ul>
      ),
    },
  ],
};
