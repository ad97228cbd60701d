-- A finish can be taken back by a step of its own.
alter table activity_ops
  drop constraint activity_ops_kind_check,
  add constraint activity_ops_kind_check
    check (kind in ('start', 'finish', 'reopen', 'scan', 'edit', 'delete', 'appeal', 'withdraw'));
