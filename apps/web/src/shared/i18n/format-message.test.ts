import { expect, test } from 'vitest';
import { formatMessage, type Message } from './format-message.ts';

const SAYS: Message = ['Message to ', ['name'], ' (', ['count', 'number'], ')'];
const LEAVES: Message = [['count', { one: [['name'], ' leaves'], other: [['name'], ' leave'] }]];

test.each(['נורה', 'محمد 7', 'a\u202egpj.exe'])('the name %j is kept apart from the words around it', (name) => {
  const isolated = `\u2068${name}\u2069`;
  expect(formatMessage(SAYS, { name, count: 3 }, 'en')).toBe(`Message to ${isolated} (3)`);
  expect(formatMessage(LEAVES, { name, count: 1 }, 'es')).toBe(`${isolated} leaves`);
});

test.each(['Nora', 'José Ñ', '李雷', '🧗'])('the name %j needs no marks', (name) => {
  expect(formatMessage(SAYS, { name, count: 3 }, 'en')).toBe(`Message to ${name} (3)`);
});
