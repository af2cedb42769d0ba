package io.sluice.demo.inventory;

import java.sql.Connection;
import java.sql.SQLException;

/** What is done within one transaction. */
@FunctionalInterface
interface Work<R> {
    R in(Connection transaction) throws SQLException;
}
