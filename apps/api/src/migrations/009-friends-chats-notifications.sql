-- Requests, blocks and reports between people; chats and their messages; notifications.

-- At most one pending request a pair, whoever asks. Decided ones stay, so that a repeated answer meets the same state.
create table friend_requests (
  id uuid primary key,
  sender_id uuid not null references users (id) on delete cascade,
  receiver_id uuid not null references users (id) on delete cascade,
  status text not null default 'pending' check (status in ('pending', 'accepted', 'declined', 'cancelled')),
  created_at timestamptz not null default now(),
  decided_at timestamptz,
  check (sender_id <> receiver_id)
);
create unique index friend_requests_pending on friend_requests
  (least(sender_id, receiver_id), greatest(sender_id, receiver_id)) where status = 'pending';
create index friend_requests_by_sender on friend_requests (sender_id);
create index friend_requests_by_receiver on friend_requests (receiver_id);

create table blocks (
  blocker_id uuid not null references users (id) on delete cascade,
  blocked_id uuid not null references users (id) on delete cascade,
  created_at timestamptz not null default now(),
  primary key (blocker_id, blocked_id),
  check (blocker_id <> blocked_id)
);
create index blocks_by_blocked on blocks (blocked_id);

-- Public ids that somebody looked up on their latest day (UTC) of doing so, found or not.
create table friend_look_ups (
  user_id uuid primary key references users (id) on delete cascade,
  day date not null,
  look_ups integer not null
);

create table reports (
  -- The reporter's own name of it: a repeat finds it.
  id uuid primary key,
  reporter_id uuid not null references users (id),
  reported_id uuid not null references users (id),
  reason text not null,
  -- What the reporter wrote.
  text text,
  message_ids uuid[] not null default '{}',
  created_at timestamptz not null default now()
);
create index reports_by_reporter on reports (reporter_id, created_at);
create index reports_by_reported on reports (reported_id);

-- One chat a pair, the lower id first. An erased participant becomes the deleted user, who may have many.
create table chats (
  id uuid primary key,
  user_low uuid not null references users (id),
  user_high uuid not null references users (id),
  created_by uuid not null references users (id),
  -- The number of its latest message; numbers have no gaps, for this row is locked while they are given.
  last_seq bigint not null default 0,
  latest_at timestamptz,
  -- Messages that this participant has not read.
  low_unread integer not null default 0,
  high_unread integer not null default 0,
  created_at timestamptz not null default now()
) with (fillfactor = 60);
create unique index chats_pair on chats (user_low, user_high)
  where user_low <> '00000000-0000-4000-8000-000000000000' and user_high <> '00000000-0000-4000-8000-000000000000';
create index chats_by_low on chats (user_low);
create index chats_by_high on chats (user_high);
create index chats_by_creator on chats (created_by);

-- No foreign keys: each would look its row up, and lock it, for every message. The statement that writes messages holds the
-- chat's row, and no chat with messages is ever deleted.
create table messages (
  -- Made by the sender's device, for ever the key of a repeat.
  id uuid primary key,
  chat_id uuid not null,
  seq bigint not null,
  sender_id uuid not null,
  text text not null,
  created_at timestamptz not null,
  read_at timestamptz
) with (fillfactor = 90);
create unique index messages_in_order on messages (chat_id, seq);
create index messages_by_sender on messages (sender_id);

-- Events of chats are many; whoever writes them holds the row of the user's counter, which has a foreign key.
alter table user_events drop constraint user_events_user_id_fkey;
-- Old events go after some days. They lie in the order of their time, so the smallest index there is does.
create index user_events_by_time on user_events using brin (created_at) with (pages_per_range = 16);

-- A browser that wants to be told while the app is closed. It belongs to whoever is signed in there.
create table push_subscriptions (
  id uuid primary key,
  user_id uuid not null references users (id) on delete cascade,
  session_id uuid not null,
  endpoint text not null unique,
  -- base64url, as the browser gives them (RFC 8291).
  p256dh text not null,
  auth text not null,
  language text not null default 'en' check (language in ('en', 'es')),
  created_at timestamptz not null default now()
);
create index push_subscriptions_by_user on push_subscriptions (user_id);
create index push_subscriptions_by_session on push_subscriptions (session_id);

-- What somebody wants to be told; who has no row wants everything, without what was written.
create table notification_choices (
  user_id uuid primary key references users (id) on delete cascade,
  messages boolean not null default true,
  friends boolean not null default true,
  proofs boolean not null default true,
  -- Whether a notification may say what was written, not only who wrote.
  show_text boolean not null default false,
  -- Minutes of the day in `time_zone`; null: never quiet.
  quiet_from smallint check (quiet_from between 0 and 1439),
  quiet_until smallint check (quiet_until between 0 and 1439),
  time_zone text not null default 'UTC',
  check ((quiet_from is null) = (quiet_until is null))
);
