import {
  type Chat,
  createChat,
  listChats,
  listMessages,
  type Message,
  markMessagesRead,
  reportTyping,
  sendMessage,
} from '@sendlap/contract/chats.ts';
import { type Friend, listFriends } from '@sendlap/contract/friends.ts';
import type { User } from '@sendlap/contract/users.ts';
import { countCodePoints, MESSAGE_MAX_CODE_POINTS } from '@sendlap/domain/messages.ts';
import { DEFAULT_DISPLAY_NAME } from '@sendlap/domain/names.ts';
import { ERASED_USER_ID } from '#web/features/chats/data/erased-user.ts';
import { type FakeServer, Refusal } from './fake-server.ts';

const PREVIEW_LENGTH = 120;

export function friendOf(user: User): Friend {
  const id = user.id.replace('-1111-', '-2222-');
  return { id, friend_id: user.id, friend_name: user.name, friend_public_id: user.public_id };
}

/** The chat's own record, without its messages. */
interface KeptChat {
  id: string;
  other: User;
  messages: Message[];
  can_send: boolean;
  /** A block hides the chat from both participants. */
  is_hidden: boolean;
}

/**
 * The chats of `me` with friends as the server stores them: one message per client id, seq has no gaps, both sides'
 * events go to my stream. `write`, `read` and `part` act as the other person.
 */
export class ChatModel {
  readonly #chats = new Map<string, KeptChat>();
  readonly #server: FakeServer;
  readonly #me: User;
  readonly #friends: User[];

  constructor(server: FakeServer, me: User, friends: User[]) {
    this.#server = server;
    this.#me = me;
    this.#friends = friends;
    this.#answerLists();
    this.#answerMessages();
  }

  static chatIdWith(other: User): string {
    return other.id.replace('-1111-', '-3333-');
  }

  /** Returns all messages of a chat, as the server has them. */
  messagesWith(other: User): string[] {
    return this.#open(other).messages.map(({ message }) => message);
  }

  isRead(other: User, text: string): boolean {
    return this.#open(other).messages.some(({ message, read_at }) => message === text && read_at !== null);
  }

  /** Adds a message without an event: it was written before the app opened. */
  put(from: User, other: User, text: string, facts: Partial<Message> = {}): Message {
    return this.#add(this.#open(other), from, text, facts);
  }

  /** The other person writes now. */
  write(other: User, text: string): Message {
    const message = this.#add(this.#open(other), other, text);
    this.#server.tell({ type: 'message_created', message });
    return message;
  }

  /** The other person reads everything. */
  read(other: User): void {
    const chat = this.#open(other);
    const ids = chat.messages.map(({ id }) => id);
    this.#markRead(chat, other, ids);
  }

  /** The other person ends the friendship: the messages stay, none can be added. */
  endFriendship(other: User): void {
    this.#open(other).can_send = false;
    this.#friends.splice(this.#friends.indexOf(other), 1);
    this.#server.tell({ type: 'friend_changed', is_friend: false, friend: friendOf(other) });
  }

  /** One friend blocks the other: the chat disappears for both. */
  block(other: User): void {
    this.#open(other).is_hidden = true;
    this.endFriendship(other);
    this.#server.tell({ type: 'chat_changed', chat_id: ChatModel.chatIdWith(other) });
  }

  /** Erases the other person's account: no name and no text of theirs is left. Sends no event. */
  erase(other: User): void {
    const chat = this.#open(other);
    chat.can_send = false;
    chat.other = { ...other, id: ERASED_USER_ID, name: DEFAULT_DISPLAY_NAME, public_id: '' };
    const erased = { message: '', sender_id: ERASED_USER_ID, sender_name: DEFAULT_DISPLAY_NAME };
    chat.messages = chat.messages.map((message) =>
      message.sender_id === other.id ? { ...message, ...erased } : message,
    );
    this.#friends.splice(this.#friends.indexOf(other), 1);
  }

  #answerLists(): void {
    this.#server.on(listFriends, () => this.#friends.map(friendOf));
    this.#server.on(listChats, () =>
      [...this.#chats.values()]
        .filter(({ is_hidden }) => !is_hidden)
        .map((chat) => this.#describe(chat))
        .sort((a, b) => (b.latest_message_at ?? '').localeCompare(a.latest_message_at ?? '')),
    );
    this.#server.on(createChat, ({ body }) => {
      const other = this.#friends.find(({ id }) => id === body.receiver_id);
      if (!other) throw new Refusal('friend_not_found');
      return this.#describe(this.#open(other));
    });
  }

  #answerMessages(): void {
    this.#server.on(listMessages, ({ params, query }) => pageOf(this.#find(params.chat_id).messages, query));
    this.#server.on(sendMessage, ({ params, body }) => {
      const chat = this.#find(params.chat_id);
      if (!chat.can_send) throw new Refusal('chat_closed');
      if (countCodePoints(body.message.trim()) > MESSAGE_MAX_CODE_POINTS) throw new Refusal('message_too_long');
      const message = this.#add(chat, this.#me, body.message.trim(), body.client_id ? { id: body.client_id } : {});
      this.#server.tell({ type: 'message_created', message });
      return message;
    });
    this.#server.on(markMessagesRead, ({ params, body }) => {
      const chat = this.#find(params.chat_id);
      this.#markRead(chat, this.#me, body.messageIds);
      return { unreadCount: this.#unreadOf(chat) };
    });
    this.#server.on(reportTyping, () => ({}));
  }

  #open(other: User): KeptChat {
    const id = ChatModel.chatIdWith(other);
    const known = this.#chats.get(id);
    if (known) return known;
    const chat = { id, other, messages: [], can_send: true, is_hidden: false };
    this.#chats.set(id, chat);
    return chat;
  }

  #find(chat_id: string): KeptChat {
    const chat = this.#chats.get(chat_id);
    if (!chat || chat.is_hidden) throw new Refusal('chat_not_found');
    return chat;
  }

  #add(chat: KeptChat, sender: User, text: string, facts: Partial<Message> = {}): Message {
    const id = facts.id ?? crypto.randomUUID();
    const known = chat.messages.find((message) => message.id === id);
    if (known) return known;
    const message: Message = {
      id,
      chat_id: chat.id,
      seq: chat.messages.length + 1,
      message: text,
      sender_id: sender.id,
      sender_name: sender.name,
      created_at: new Date().toISOString(),
      read_at: null,
      ...facts,
    };
    chat.messages.push(message);
    return message;
  }

  #unreadOf(chat: KeptChat): number {
    return chat.messages.filter(({ sender_id, read_at }) => sender_id !== this.#me.id && read_at === null).length;
  }

  #describe(chat: KeptChat): Chat {
    const latest = chat.messages.at(-1);
    const person = ({ id, name, public_id }: User) => ({ id, name, public_id });
    return {
      id: chat.id,
      name: chat.other.name,
      sender: person(this.#me),
      receiver: person(chat.other),
      other_participant: person(chat.other),
      latest_message_preview: latest?.message.slice(0, PREVIEW_LENGTH) ?? null,
      latest_message_at: latest?.created_at ?? null,
      latest_message_sender_id: latest?.sender_id ?? null,
      unreadCount: this.#unreadOf(chat),
      last_seq: chat.messages.length,
      can_send: chat.can_send,
    };
  }

  #markRead(chat: KeptChat, reader: User, ids: string[]): void {
    const read_at = new Date().toISOString();
    const message_ids: string[] = [];
    for (const message of chat.messages) {
      if (message.sender_id === reader.id || message.read_at !== null || !ids.includes(message.id)) continue;
      message.read_at = read_at;
      message_ids.push(message.id);
    }
    const read = { chat_id: chat.id, reader_id: reader.id, message_ids, read_at };
    const unread_count = this.#unreadOf(chat);
    if (message_ids.length > 0) this.#server.tell({ type: 'messages_read', ...read, unread_count });
  }
}

interface Range {
  offset: number;
  limit: number;
  before?: number | undefined;
  after?: number | undefined;
}

function pageOf(messages: Message[], { offset, limit, before, after }: Range): Message[] {
  if (after !== undefined) return messages.filter(({ seq }) => seq > after).slice(0, limit);
  const older = messages.filter(({ seq }) => before === undefined || seq < before);
  const end = older.length - offset;
  return older.slice(Math.max(0, end - limit), Math.max(0, end));
}
