import { expect, test } from 'vitest';
import { findFolderProblems } from './folders.ts';

const CHATS = 'apps/web/src/features/chats';

function problemsOf(files: Record<string, string>): string[] {
  return findFolderProblems(new Map(Object.entries(files)));
}

test('two folders that import each other are refused: by relative and aliased, static and dynamic imports', () => {
  expect(
    problemsOf({
      [`${CHATS}/panel/Panel.tsx`]: "import { list } from '../list/list.ts';",
      [`${CHATS}/list/list.ts`]: "const panel = import('#web/features/chats/panel/Panel.tsx');",
    }),
  ).toEqual([
    `folders import each other: ${CHATS}/list → ${CHATS}/panel → ${CHATS}/list (${CHATS}/list/list.ts → ${CHATS}/panel/Panel.tsx, ${CHATS}/panel/Panel.tsx → ${CHATS}/list/list.ts)`,
  ]);
});

test('imports for their effect count too', () => {
  const files = {
    [`${CHATS}/panel/panel.ts`]: "import '../panel.css';",
    [`${CHATS}/Chat.tsx`]: "from './panel/panel.ts'",
  };
  expect(problemsOf(files)).toHaveLength(1);
});

test('a folder and its parent that import each other are refused too', () => {
  const files = { [`${CHATS}/Chat.tsx`]: "from './list/list.ts'", [`${CHATS}/list/list.ts`]: "from '../Chat.tsx'" };
  expect(problemsOf(files)).toHaveLength(1);
});

test('folders that import each other through others are refused, by one shortest cycle of each group', () => {
  const circle = { 'a/a.ts': "from '../b/b.ts'", 'b/b.ts': "from '../c/c.ts'", 'c/c.ts': "from '../a/a.ts'" };
  const detour = { 'b/b2.ts': "from '../d/d.ts'", 'd/d.ts': "from '../e/e.ts'", 'e/e.ts': "from '../a/a.ts'" };
  const pair = { 'y/y.ts': "from '../z/z.ts'", 'z/z.ts': "from '../y/y.ts'; from '../a/a.ts'" };
  expect(problemsOf({ ...circle, ...detour, ...pair })).toEqual([
    'folders import each other: a → b → c → a (a/a.ts → b/b.ts, b/b.ts → c/c.ts, c/c.ts → a/a.ts)',
    'folders import each other: y → z → y (y/y.ts → z/z.ts, z/z.ts → y/y.ts)',
  ]);
});

test('one way is fine, and so are libraries', () => {
  const files = { [`${CHATS}/panel/Panel.tsx`]: "from '../list/list.ts'", [`${CHATS}/list/list.ts`]: "from 'react'" };
  expect(problemsOf(files)).toEqual([]);
});

test('a folder of 25 code files is accepted, one of 26 is refused', () => {
  const folderOf = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`a/${index}.ts`, '']));
  expect(problemsOf(folderOf(25))).toEqual([]);
  expect(problemsOf(folderOf(26))).toEqual(['a holds 26 code files, more than 25']);
});
