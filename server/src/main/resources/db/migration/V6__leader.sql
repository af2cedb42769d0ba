-- Which of several servers on one database acts, in which epoch, and until when if it is not heard of again, by the
-- database's own clock.
create table leader_lease (
    id         int          primary key check (id = 1),
    holder     varchar(128) not null,
    epoch      bigint       not null,
    expires_at timestamp with time zone not null
);
insert into leader_lease (id, holder, epoch, expires_at) values (1, '', 0, timestamp with time zone '2000-01-01 00:00:00+00:00');
