-- The ID token of the sign-in, sealed: an external provider ends its own session only for who shows it. Used once, at the
-- sign-out, and gone with the session.
alter table sessions add column id_token bytea;
