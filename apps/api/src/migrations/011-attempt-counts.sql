-- How often something was tried within a window, such as a sign-in of one account; the form is that of rate-limiter-flexible.
create table attempt_counts (
  key varchar(255) primary key,
  points integer not null default 0,
  -- The end of the window, ms since 1970.
  expire bigint
);
