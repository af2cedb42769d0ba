-- What a comparison of another system's counters has come to on a release's step, so that a restart is no new start.
create table metric_state (
    release_id varchar(64)   not null,
    step       bigint        not null,
    metric     varchar(64)   not null,
    state      varchar(4096) not null,
    primary key (release_id, step, metric)
);
