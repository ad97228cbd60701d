import {
  acceptFriendRequest,
  type Block,
  blockUser,
  cancelFriendRequest,
  declineFriendRequest,
  type FoundPerson,
  type Friend,
  type FriendRequest,
  listBlocks,
  listFriendRequests,
  listFriends,
  removeFriend,
  requestFriend,
  searchFriend,
  unblockUser,
} from '@sendlap/contract/friends.ts';
import type { User } from '@sendlap/contract/users.ts';
import { friendOf } from './chat-model.ts';
import { type FakeServer, Refusal } from './fake-server.ts';

const ASKED_AT = '2026-11-20T09:00:00.000Z';

const requestIdOf = (other: User) => other.id.replace('-1111-', '-4444-');
const personOf = ({ id, name, public_id }: User) => ({ id, name, public_id });

/**
 * The friends, requests and blocks of `me` as the server stores them; every change goes to my stream. `befriend`
 * happened before the app opened; `ask`, `answer` and `block` act as the other person. `others`: the other accounts.
 */
export class FriendModel {
  readonly #server: FakeServer;
  readonly #me: User;
  readonly #others: User[];
  readonly #blocked_me = new Set<User>();
  #friends: User[] = [];
  #requests: FriendRequest[] = [];
  #blocks: Block[] = [];

  constructor(server: FakeServer, me: User, others: User[]) {
    this.#server = server;
    this.#me = me;
    this.#others = others;
    this.#answerReads();
    this.#answerRequests();
    this.#answerEnds();
    this.#answerBlocks();
  }

  friends(): string[] {
    return this.#friends.map(({ name }) => name);
  }

  requests(): string[] {
    return this.#requests.map(({ direction, user }) => `${direction} ${user.name}`);
  }

  befriend(...others: User[]): void {
    this.#friends.push(...others);
  }

  /** The other person sends me a request. */
  ask(other: User): void {
    this.#addRequest(other, 'incoming');
  }

  /** The other person answers my request. */
  answer(other: User, status: 'accepted' | 'declined'): void {
    this.#endRequest(requestIdOf(other), status);
    if (status === 'accepted') this.#makeFriend(other);
  }

  /** The other person ends the friendship. */
  endFriendship(other: User): void {
    this.#endFriendship(other);
  }

  /** The other person blocks me: we cannot find each other, and are no longer friends. */
  block(other: User): void {
    this.#blocked_me.add(other);
    this.#endFriendship(other);
  }

  #answerEnds(): void {
    this.#server.on(acceptFriendRequest, ({ params }) => {
      const other = this.#endRequest(params.id, 'accepted');
      return this.#makeFriend(other);
    });
    this.#server.on(declineFriendRequest, ({ params }) => {
      this.#endRequest(params.id, 'declined');
      return {};
    });
    this.#server.on(cancelFriendRequest, ({ params }) => {
      this.#endRequest(params.id, 'cancelled');
      return {};
    });
    this.#server.on(removeFriend, ({ params }) => {
      const other = this.#friends.find((friend) => friendOf(friend).id === params.id);
      if (other) this.#endFriendship(other);
      return {};
    });
  }

  #answerReads(): void {
    this.#server.on(listFriends, () => this.#friends.map(friendOf));
    this.#server.on(listFriendRequests, () => this.#requests);
    this.#server.on(searchFriend, ({ body }) => this.#describe(this.#findVisible(body.public_id)));
  }

  #answerRequests(): void {
    this.#server.on(requestFriend, ({ body }) => {
      const other = this.#findVisible(body.receiver_public_id);
      const waiting = this.#requests.find(({ user }) => user.id === other.id);
      if (waiting?.direction !== 'incoming')
        return { status: 'pending' as const, request: waiting ?? this.#addRequest(other, 'outgoing') };
      this.#endRequest(waiting.id, 'accepted');
      return { status: 'accepted' as const, friend: this.#makeFriend(other) };
    });
  }

  #answerBlocks(): void {
    this.#server.on(listBlocks, () => this.#blocks);
    this.#server.on(blockUser, ({ body }) => {
      const other = this.#find(({ id }) => id === body.user_id);
      const block = { id: other.id, name: other.name, created_at: ASKED_AT };
      this.#blocks = [block, ...this.#blocks];
      this.#requests = this.#requests.filter(({ user }) => user.id !== other.id);
      this.#endFriendship(other);
      return block;
    });
    this.#server.on(unblockUser, ({ params }) => {
      this.#blocks = this.#blocks.filter(({ id }) => id !== params.id);
      return {};
    });
  }

  #find(isWanted: (other: User) => boolean): User {
    const other = [this.#me, ...this.#others].find(isWanted);
    if (!other) throw new Refusal('user_not_found');
    return other;
  }

  /** A block on either side hides each from the other, as if the account did not exist. */
  #findVisible(public_id: string): User {
    const other = this.#find((user) => user.public_id === public_id);
    const is_blocked = this.#blocked_me.has(other) || this.#blocks.some(({ id }) => id === other.id);
    if (is_blocked) throw new Refusal('user_not_found');
    return other;
  }

  #describe(other: User): FoundPerson {
    const request = this.#requests.find(({ user }) => user.id === other.id);
    const none = { ...personOf(other), relation: 'none', request_id: null, friendship_id: null } as const;
    if (other.id === this.#me.id) return { ...none, relation: 'self' };
    if (this.#friends.includes(other)) return { ...none, relation: 'friend', friendship_id: friendOf(other).id };
    return request ? { ...none, relation: request.direction, request_id: request.id } : none;
  }

  #addRequest(other: User, direction: FriendRequest['direction']): FriendRequest {
    const request: FriendRequest = {
      id: requestIdOf(other),
      direction,
      user: personOf(other),
      created_at: ASKED_AT,
    };
    this.#requests = [request, ...this.#requests];
    this.#server.tell({ type: 'friend_request_changed', status: 'pending', request });
    return request;
  }

  #endRequest(id: string, status: 'accepted' | 'declined' | 'cancelled'): User {
    const request = this.#requests.find((one) => one.id === id);
    if (!request) throw new Refusal('friend_request_not_found');
    this.#requests = this.#requests.filter((one) => one !== request);
    this.#server.tell({ type: 'friend_request_changed', status, request });
    return this.#find((user) => user.id === request.user.id);
  }

  #makeFriend(other: User): Friend {
    const friend = friendOf(other);
    this.#friends = [...this.#friends, other];
    this.#server.tell({ type: 'friend_changed', is_friend: true, friend });
    return friend;
  }

  #endFriendship(other: User): void {
    if (!this.#friends.includes(other)) return;
    this.#friends = this.#friends.filter((friend) => friend !== other);
    this.#server.tell({ type: 'friend_changed', is_friend: false, friend: friendOf(other) });
  }
}
