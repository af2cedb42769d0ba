package io.sluice.server.edge;

import io.sluice.wire.ProblemJson;
import io.sluice.wire.ProblemReport;
import java.io.IOException;
import java.util.List;
import org.apache.catalina.connector.Request;
import org.apache.catalina.connector.Response;
import org.apache.catalina.valves.ErrorReportValve;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;

/** Gives what the container refuses by itself (a broken address, a missing host) the one problem shape. */
public final class ProblemValve extends ErrorReportValve {
    @Override
    protected void report(Request request, Response response, @Nullable Throwable failure) {
        int code = response.getStatus();
        if (code < 400 || response.getContentWritten() > 0 || !response.setErrorReported()) {
            return;
        }
        HttpStatus status = HttpStatus.resolve(code);
        String title = status == null ? "Error" : status.getReasonPhrase();
        byte[] body = ProblemJson.write(new ProblemReport(code, title, "", List.of()));
        response.setContentType(ProblemJson.MEDIA_TYPE);
        response.setContentLength(body.length);
        try {
            response.getOutputStream().write(body);
            response.finishResponse();
        } catch (IOException | IllegalStateException gone) {
            container.getLogger().debug("nobody is there to be answered", gone);
        }
    }
}
