-- Requests of each caller in the present window of each limit, over all nodes (rate-limiter-flexible). Unlogged: a crash of
-- PostgreSQL may forget them, and a count waits for no disk.
create unlogged table request_counts (
  key varchar(255) primary key,
  points integer not null default 0,
  -- The end of the window, ms since 1970.
  expire bigint
) with (fillfactor = 70);
