package io.sluice.center;

import org.jspecify.annotations.Nullable;

/** A config centre did not do what it was asked for: it did not answer, or it refused. */
public final class CenterException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final boolean isDenied;

    private CenterException(String message, boolean isDenied, @Nullable Throwable cause) {
        super(message, cause);
        this.isDenied = isDenied;
    }

    /** The centre did not answer in time, or with a failure of its own. */
    public static CenterException unanswered(String message, @Nullable Throwable cause) {
        return new CenterException(message, false, cause);
    }

    /** The centre knows us and does not let us: status 401 or 403 or its like. */
    public static CenterException denied(String message, @Nullable Throwable cause) {
        return new CenterException(message, true, cause);
    }

    /** Whether it was a matter of permission, which trying again does not mend. */
    public boolean isDenied() {
        return isDenied;
    }
}
