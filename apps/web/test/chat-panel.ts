import type { Message } from '@sendlap/contract/chats.ts';
import type { User } from '@sendlap/contract/users.ts';
import { screen, within } from '@testing-library/dom';
import { expect, vi } from 'vitest';
import { ChatModel } from './chat-model.ts';
import type { FakeServer } from './fake-server.ts';
import { openApp, type Phone } from './open-app.ts';
import { EVE, NORA } from './people.ts';

type AppOptions = NonNullable<Parameters<typeof openApp>[0]>;

interface Options extends Omit<AppOptions, 'as' | 'prepare'> {
  /** What there is before the app asks anything. */
  prepare?: (chats: ChatModel, server: FakeServer) => void;
}

/** Nora's app; she has one friend, Eve. */
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

/** The button that opens the panel; `unread` as it says it. */
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

/** From the chat button to the messages with a person. */
export async function openChatWith(phone: Pick<Phone, 'user'>, name: string): Promise<void> {
  await phone.user.click(await screen.findByRole('button', { name: /^Open chats/ }));
  await pressInPanel(phone, new RegExp(name));
  await findMessageField();
}

/** By the picker, for a friend with whom there is no chat yet. */
export async function startChatWith(phone: Pick<Phone, 'user'>, name: string): Promise<void> {
  await phone.user.click(await screen.findByRole('button', { name: /^Open chats/ }));
  await pressInPanel(phone, 'Start New Chat');
  await pressInPanel(phone, new RegExp(name));
  await findMessageField();
}

/** Writes and waits until the message is kept on the device. Pasted: a long text is not typed letter by letter. */
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

/** The texts of the messages that are drawn, oldest first. */
export function readTexts(): string[] {
  return messagesShown().map((article) => article.querySelector('p')?.textContent ?? '');
}

/** The messages that are drawn, each with its time and status, oldest first. */
export function messagesShown(): HTMLElement[] {
  return within(screen.getByRole('log')).queryAllByRole('article');
}

/** Waits until the message with this text says this of itself. */
export async function waitForStatus(text: string, status: string): Promise<void> {
  await vi.waitFor(() => {
    const message = messagesShown().find((article) => article.textContent?.includes(text));
    expect(message?.textContent ?? '').toContain(status);
  });
}

/** Puts messages there that were written before the app was opened, one a minute until now. */
export function putMessages(chats: ChatModel, lines: { by: User; text: string; is_read?: boolean }[]): Message[] {
  return lines.map(({ by, text, is_read }, index) => {
    const created_at = new Date(Date.now() - (lines.length - index) * 60_000).toISOString();
    return chats.put(by, EVE, text, { created_at, read_at: is_read ? created_at : null });
  });
}

/** Lets the pauses between the tries of a request pass, until `look` throws nothing. Only with `now`. */
export function passTriesUntil<Found>({ passTime }: Pick<Phone, 'passTime'>, look: () => Found): Promise<Found> {
  return vi.waitFor(async () => {
    await passTime(PAUSE_MS);
    return look();
  });
}

const PAUSE_MS = 1_000;
