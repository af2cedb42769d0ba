-- What a migration keeps in the database that holds both ledgers. May be run again and again.
CREATE SCHEMA IF NOT EXISTS sluice;

-- Who owns a key. A key without a row has always been legacy's.
-- Nothing but the primary key may be unique: a change of a unique column would wait for the writes that hold the row.
CREATE TABLE IF NOT EXISTS sluice.owner (
    migration text COLLATE "C" NOT NULL,
    key       text COLLATE "C" NOT NULL,
    side      text NOT NULL CHECK (side IN ('legacy', 'new')),
    -- Grows with every move, 0 for a key that never moved.
    epoch     bigint NOT NULL CHECK (epoch >= 0),
    -- Where a move has begun to take it: nobody writes it meanwhile.
    moving_to text CHECK (moving_to IN ('legacy', 'new') AND moving_to <> side),
    -- Since when the row says so.
    since     timestamptz NOT NULL DEFAULT clock_timestamp(),
    -- What its last move or mirroring copied, like: available=7 reserved=3
    handed    text NOT NULL DEFAULT '',
    PRIMARY KEY (migration, key)
);

CREATE INDEX IF NOT EXISTS owner_frozen ON sluice.owner (migration, since) WHERE moving_to IS NOT NULL;

-- What is wanted of a migration: where the keys should be, and how fast they get there. Lists have one key a line.
CREATE TABLE IF NOT EXISTS sluice.migration (
    migration       text COLLATE "C" PRIMARY KEY,
    version         bigint NOT NULL,
    revision        bigint NOT NULL,
    new_percent     int NOT NULL,
    also_new        text NOT NULL,
    held_back       text NOT NULL,
    keys_per_second int NOT NULL,
    paused          boolean NOT NULL
);
