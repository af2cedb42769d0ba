-- How often a release's guard has stepped back. A release of before has never.
alter table releases add column step_backs int default 0 not null;
