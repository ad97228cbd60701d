import { expect, test } from 'vitest';
import { drawsFromPropsAlone } from './components.ts';

/** Returns whether Row.tsx draws from its props alone, where it and its neighbours import these. */
function asks(row: string, others: Record<string, string> = {}): boolean {
  const sources: Record<string, string> = { 'features/chats/Row.tsx': row, ...others };
  return drawsFromPropsAlone('features/chats/Row.tsx', (file) => sources[file] ?? '');
}

const QUERY = "import { useQuery } from '@tanstack/react-query';";

test.each([
  ['a query', QUERY],
  ['the session', "import { useUser } from '#web/shared/api/use-session.ts';"],
  ['the outbox', "import { outbox } from '#web/shared/outbox/client.ts';"],
  ['the database, late', "import('#web/shared/local-db/database.ts').then(open);"],
  ['data over several lines', "import {\n  useQuery,\n} from '@tanstack/react-query';"],
  ['data passed on', "export { session } from '#web/shared/api/client.ts';"],
])('a component that imports %s does not draw from its props alone', (_what, row) => {
  expect(asks(row)).toBe(false);
});

test('a component that reaches data through its neighbours does not draw from its props alone', () => {
  const row = "import { Name } from './Name.tsx';";
  const name = "import { useName } from '../people/use-name.ts';";
  expect(asks(row, { 'features/chats/Name.tsx': name, 'features/people/use-name.ts': QUERY })).toBe(false);
  expect(asks(row, { 'features/chats/Name.tsx': name })).toBe(true);
});

test('types, links and clocks do not count as data', () => {
  const clock = "import { useServerNow } from '#web/shared/time/use-now.ts';";
  expect(asks("import type { Query } from '@tanstack/react-query';")).toBe(true);
  expect(asks("import { Link } from 'wouter';")).toBe(true);
  expect(asks(clock, { 'shared/time/use-now.ts': "import { serverClock } from '#web/shared/api/client.ts';" })).toBe(
    true,
  );
});

test('files that import each other come to an end', () => {
  expect(asks("import { b } from './b.ts';", { 'features/chats/b.ts': "import { Row } from './Row.tsx';" })).toBe(true);
});
