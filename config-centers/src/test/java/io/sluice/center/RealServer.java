package io.sluice.center;

import io.sluice.testing.Line;

/** A real server of a config centre. */
public interface RealServer extends RealCenter {
    /** Where clients connect to. */
    int port();

    /** A client that connects to this port, of this server or of a line to it. The name is that of the document. */
    ConfigCenter connect(int port, String name);

    @Override
    default ConfigCenter connect(String name) {
        return connect(port(), name);
    }

    @Override
    default Way way(String name) {
        Line line = Line.to(port());
        return new Way() {
            @Override
            public ConfigCenter connect() {
                return RealServer.this.connect(line.port(), name);
            }

            @Override
            public void cut() {
                line.cut();
            }

            @Override
            public void mend() {
                line.mend();
            }

            @Override
            public void close() {
                line.close();
            }
        };
    }
}
