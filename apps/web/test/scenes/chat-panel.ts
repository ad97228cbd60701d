import type { Message } from '@sendlap/contract/chats.ts';
import type { User } from '@sendlap/contract/users.ts';
import { screen, within } from '@testing-library/dom';
import { expect, vi } from 'vitest';
import { ChatModel } from '../models/chat-model.ts';
import type { FakeServer } from '../models/fake-server.ts';
import { openApp, type Phone } from '../open-app.ts';
import { EVE, NORA } from '../people.ts';

type AppOptions = NonNullable<Parameters<typeof openApp>[0]>;

interface Options extends Omit<AppOptions, 'as' | 'prepare'> {
  /** Changes the data before the app sends its first request. */
  prepare?: (chats: ChatModel, server: FakeServer) => void;
}

/** Opens Nora's app; she has one friend, Eve. */
export async function openAppWithChats(options: Options = {}): Promise<Phone & { chats: ChatModel }> {
  const { prepare, ...rest } = options;
  const made = Promise.withResolvers<ChatModel>();
  const phone = await openApp({
    ...rest,
    prepare(server) {
      const chats = new ChatModel(server, NORA, [EVE]);
      prepare?.(chats, server);
      made.resolve(chats);
    },
  });
  return { ...phone, chats: await made.promise };
}

/** The button that opens the panel; `unread` as its label says it. */
export const findChatButton = (unread?: string) =>
  screen.findByRole('button', { name: unread ? new RegExp(`^Open chats, ${unread} unread`) : 'Open chats' });

export const findPanel = (name?: string) => screen.findByRole('dialog', name ? { name } : {});
export const findLog = () => screen.findByRole('log');
export const findMessageField = (): Promise<HTMLTextAreaElement> =>
  screen.findByRole('textbox', { name: /^Message to / });
export const queryMessageField = () => screen.queryByRole('textbox', { name: /^Message to / });

/** Presses a button of the panel. */
export async function pressInPanel({ user }: Pick<Phone, 'user'>, name: string | RegExp): Promise<void> {
  await user.click(await within(await findPanel()).findByRole('button', { name }));
}

/** Opens the messages with a person, starting at the chat button. */
export async function openChatWith(phone: Pick<Phone, 'user'>, name: string): Promise<void> {
  await phone.user.click(await screen.findByRole('button', { name: /^Open chats/ }));
  await pressInPanel(phone, new RegExp(name));
  await findMessageField();
}

/** Starts a chat by the picker, with a friend who has no chat yet. */
export async function startChatWith(phone: Pick<Phone, 'user'>, name: string): Promise<void> {
  await phone.user.click(await screen.findByRole('button', { name: /^Open chats/ }));
  await pressInPanel(phone, 'Start New Chat');
  await pressInPanel(phone, new RegExp(name));
  await findMessageField();
}

/**
 * Writes a message and waits until the device has stored it. Pastes the text: typing a long one letter by letter is
 * slow.
 */
export async function writeMessage({ user }: Pick<Phone, 'user'>, text: string): Promise<void> {
  await fillMessage({ user }, text);
  await user.keyboard('{Enter}');
  const send = screen.getByRole('button', { name: 'Send' });
  await vi.waitFor(async () => {
    expect(await findMessageField()).toHaveProperty('value', '');
    expect(send.getAttribute('aria-busy')).toBe('false');
  });
}

export async function fillMessage({ user }: Pick<Phone, 'user'>, text: string): Promise<void> {
  const field = await findMessageField();
  await user.clear(field);
  await user.click(field);
  await user.paste(text);
}

/** Returns the texts of the drawn messages, oldest first. */
export function readTexts(): string[] {
  return messagesShown().map((article) => article.querySelector('p')?.textContent ?? '');
}

/** Returns the drawn messages, each with its time and status, oldest first. */
export function messagesShown(): HTMLElement[] {
  return within(screen.getByRole('log')).queryAllByRole('article');
}

/** Waits until the message with this text shows this status. */
export async function waitForStatus(text: string, status: string): Promise<void> {
  await vi.waitFor(() => {
    const message = messagesShown().find((article) => article.textContent?.includes(text));
    expect(message?.textContent ?? '').toContain(status);
  });
}

/** Adds messages that were written before the app opened, one a minute until now. */
export function putMessages(chats: ChatModel, lines: { by: User; text: string; is_read?: boolean }[]): Message[] {
  return lines.map(({ by, text, is_read }, index) => {
    const created_at = new Date(Date.now() - (lines.length - index) * 60_000).toISOString();
    return chats.put(by, EVE, text, { created_at, read_at: is_read ? created_at : null });
  });
}

/** Passes the back-off between retries of a request until `look` no longer throws. Only with `now`. */
export function passTriesUntil<Found>({ passTime }: Pick<Phone, 'passTime'>, look: () => Found): Promise<Found> {
  return vi.waitFor(async () => {
    await passTime(PAUSE_MS);
    return look();
  });
}

const PAUSE_MS = 1_000;
