package io.sluice.center;

/** Who this process is to a config centre. */
public record CenterLogin(String user, String password) {
    /** The user only: this may be logged. */
    @Override
    public String toString() {
        return user;
    }
}
