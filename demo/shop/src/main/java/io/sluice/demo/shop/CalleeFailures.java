package io.sluice.demo.shop;

import feign.FeignException;
import org.springframework.http.HttpStatus;
import org.springframework.http.ProblemDetail;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.RestControllerAdvice;
import org.springframework.web.client.RestClientException;

/** Answers for a callee: 502 when it failed, could not be reached or took too long, 503 when there is none. */
@RestControllerAdvice
final class CalleeFailures {

    @ExceptionHandler({FeignException.class, RestClientException.class})
    ProblemDetail badGateway(Exception failure) {
        return ProblemDetail.forStatusAndDetail(HttpStatus.BAD_GATEWAY, String.valueOf(failure.getMessage()));
    }

    /** The load-balanced clients have no exception of their own for a service without instances. */
    @ExceptionHandler({IllegalArgumentException.class, IllegalStateException.class})
    ProblemDetail unavailable(Exception failure) {
        return ProblemDetail.forStatusAndDetail(HttpStatus.SERVICE_UNAVAILABLE, String.valueOf(failure.getMessage()));
    }
}
