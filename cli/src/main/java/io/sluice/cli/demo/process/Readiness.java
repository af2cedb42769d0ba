package io.sluice.cli.demo.process;

import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;

/** How a program shows that it can be used. */
public enum Readiness {
    /** It accepts connections. */
    CONNECTS {
        @Override
        boolean isReady(int port) {
            try (Socket socket = new Socket()) {
                socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), TIMEOUT_MILLIS);
                return true;
            } catch (IOException notYet) {
                return false;
            }
        }
    },
    /** Its health endpoint says so. */
    HEALTHY {
        @Override
        boolean isReady(int port) {
            try {
                URI health = URI.create("http://127.0.0.1:" + port + "/actuator/health");
                HttpURLConnection request = (HttpURLConnection) health.toURL().openConnection();
                request.setConnectTimeout(TIMEOUT_MILLIS);
                request.setReadTimeout(TIMEOUT_MILLIS);
                return request.getResponseCode() == HttpURLConnection.HTTP_OK;
            } catch (IOException notYet) {
                return false;
            }
        }
    };

    private static final int TIMEOUT_MILLIS = 1_000;

    abstract boolean isReady(int port);
}
