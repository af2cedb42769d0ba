-- What is wanted of each migration, as the directive that its processes get. A list of keys may be long, so it is rows.
create table migrations (
    name            varchar(63) primary key,
    version         bigint      not null,
    revision        bigint      not null,
    new_percent     int         not null,
    keys_per_second int         not null,
    paused          boolean     not null,
    observed_since  date        not null,
    created         timestamp with time zone not null
);
create table migration_list (
    migration varchar(63)  not null references migrations (name),
    list      varchar(16)  not null,
    key_name  varchar(255) not null,
    primary key (migration, list, key_name)
);

-- What each run of a process has counted on each day, as it said last.
create table migration_evidence (
    migration          varchar(63)  not null references migrations (name),
    seen_on            date         not null,
    reporter           varchar(128) not null,
    watched_from       timestamp with time zone not null,
    watched_until      timestamp with time zone not null,
    longest_gap_millis bigint       not null,
    new_successes      bigint       not null,
    legacy_successes   bigint       not null,
    fallbacks          bigint       not null,
    shadow_checks      bigint       not null,
    shadow_diffs       bigint       not null,
    not_compared       bigint       not null,
    unknown_outcomes   bigint       not null,
    behind             bigint       not null,
    primary key (migration, seen_on, reporter)
);

-- Reads that both sides answered differently, the newest of each migration.
create table migration_difference (
    migration       varchar(63)  not null references migrations (name),
    id              varchar(128) not null,
    key_name        varchar(255) not null,
    read_name       varchar(128) not null,
    version         bigint       not null,
    authority       varchar(8)   not null,
    authority_value varchar(512) not null,
    other_value     varchar(512) not null,
    seen_at         timestamp with time zone not null,
    primary key (migration, id)
);
create index migration_difference_newest on migration_difference (migration, seen_at);
