package io.sluice.migration.branch;

import org.jspecify.annotations.Nullable;

/** The side is not available, and it is certain that nothing was changed. A router may fall back. */
public non-sealed class NothingHappenedException extends BranchException {
    private static final long serialVersionUID = 1L;

    public NothingHappenedException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
