package io.sluice.server;

import io.sluice.core.problem.Problem;
import io.sluice.core.problem.RefusedException;
import io.sluice.core.release.CommandRefusedException;
import io.sluice.core.release.ReleaseStore.AlreadyExistsException;
import io.sluice.core.release.UnknownReleaseException;
import io.sluice.server.channels.ChannelRefusedException;
import io.sluice.server.channels.UnknownChannelException;
import io.sluice.server.leadership.LeadershipLostException;
import io.sluice.server.leadership.NotLeaderException;
import io.sluice.server.migrations.MigrationRefusedException;
import io.sluice.server.migrations.UnknownMigrationException;
import io.sluice.wire.ProblemJson;
import io.sluice.wire.ProblemReport;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.TypeMismatchException;
import org.springframework.dao.DataAccessException;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.http.converter.HttpMessageNotReadableException;
import org.springframework.transaction.TransactionException;
import org.springframework.web.ErrorResponse;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.RestControllerAdvice;
import org.springframework.web.context.request.async.AsyncRequestNotUsableException;

/** Turns everything that goes wrong into the one problem shape. */
@RestControllerAdvice
class ProblemHandler {
    private static final Logger log = LoggerFactory.getLogger(ProblemHandler.class);

    @ExceptionHandler
    ResponseEntity<byte[]> badInput(RefusedException refused) {
        return answer(ProblemReport.of(400, "Bad input", refused.problems()), HttpHeaders.EMPTY);
    }

    @ExceptionHandler
    ResponseEntity<byte[]> badParameter(TypeMismatchException mismatch) {
        String name = Objects.requireNonNullElse(mismatch.getPropertyName(), "parameter");
        Problem problem = new Problem(name, String.valueOf(mismatch.getValue()), "must be a whole number");
        return answer(ProblemReport.of(400, "Bad input", List.of(problem)), HttpHeaders.EMPTY);
    }

    @ExceptionHandler
    ResponseEntity<byte[]> missingBody(HttpMessageNotReadableException missing) {
        Problem problem = new Problem("document", "empty", "must be a JSON object");
        return answer(ProblemReport.of(400, "Bad input", List.of(problem)), HttpHeaders.EMPTY);
    }

    @ExceptionHandler({
        CommandRefusedException.class,
        AlreadyExistsException.class,
        ChannelRefusedException.class,
        MigrationRefusedException.class
    })
    ResponseEntity<byte[]> conflict(RuntimeException refused) {
        return answer(HttpStatus.CONFLICT, refused.getMessage(), HttpHeaders.EMPTY);
    }

    @ExceptionHandler({UnknownReleaseException.class, UnknownChannelException.class, UnknownMigrationException.class})
    ResponseEntity<byte[]> unknown(RuntimeException unknown) {
        return answer(HttpStatus.NOT_FOUND, unknown.getMessage(), HttpHeaders.EMPTY);
    }

    /** Nothing was done, so whoever asks the one that leads does it once. */
    @ExceptionHandler({NotLeaderException.class, LeadershipLostException.class})
    ResponseEntity<byte[]> elsewhere(RuntimeException elsewhere) {
        return answer(HttpStatus.SERVICE_UNAVAILABLE, elsewhere.getMessage(), HttpHeaders.EMPTY);
    }

    /** The outcome of a write that failed here is unknown: it may have been saved before the connection broke. */
    @ExceptionHandler({DataAccessException.class, TransactionException.class})
    ResponseEntity<byte[]> noDatabase(RuntimeException failure) {
        String id = logged(failure);
        return answer(
                HttpStatus.SERVICE_UNAVAILABLE,
                "the database did not answer, so the outcome is unknown: look again (" + id + ")",
                HttpHeaders.EMPTY);
    }

    /** What is left: the framework's own refusals, which know their status, and surprises. */
    @ExceptionHandler
    ResponseEntity<byte[]> other(Exception failure) {
        if (failure instanceof ErrorResponse refusal) {
            return answer(refusal.getStatusCode(), refusal.getBody().getDetail(), refusal.getHeaders());
        }
        String id = logged(failure);
        return answer(
                HttpStatus.INTERNAL_SERVER_ERROR, "something went wrong; the log has it as " + id, HttpHeaders.EMPTY);
    }

    /** Nobody is there any more to be answered. */
    @ExceptionHandler
    void gone(AsyncRequestNotUsableException gone) {
        log.debug("a reader went away", gone);
    }

    private static String logged(Exception failure) {
        String id = UUID.randomUUID().toString();
        log.error("request failed, {}", id, failure);
        return id;
    }

    private static ResponseEntity<byte[]> answer(HttpStatusCode status, @Nullable String detail, HttpHeaders headers) {
        HttpStatus known = HttpStatus.resolve(status.value());
        String title = known == null ? "Error" : known.getReasonPhrase();
        return answer(new ProblemReport(status.value(), title, detail == null ? "" : detail, List.of()), headers);
    }

    private static ResponseEntity<byte[]> answer(ProblemReport report, HttpHeaders headers) {
        return ResponseEntity.status(report.status())
                .headers(headers)
                .contentType(MediaType.parseMediaType(ProblemJson.MEDIA_TYPE))
                .body(ProblemJson.write(report));
    }
}
