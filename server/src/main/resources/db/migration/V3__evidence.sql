-- What the guard must not lose of a step, by who reported it: the watch with its detectors, the customers who had a failed
-- or a slow request, and the curves of the evidence with the last findings. Only what changed is written, so what is large
-- and seldom changes stands in rows of its own.
create table step_evidence (
    release_id varchar(64)      not null,
    step       bigint           not null,
    reporter   varchar(128)     not null,
    part       varchar(8)       not null,
    content    varchar(1048576) not null,
    primary key (release_id, step, reporter, part)
);
