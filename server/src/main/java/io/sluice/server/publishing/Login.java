package io.sluice.server.publishing;

/** Who the server is to a config centre. */
record Login(String user, String password) {
    @Override
    public String toString() {
        return user;
    }
}
