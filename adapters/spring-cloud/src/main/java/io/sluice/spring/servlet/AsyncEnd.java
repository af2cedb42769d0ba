package io.sluice.spring.servlet;

import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;

/** Tells once how a request that left its thread has ended. */
final class AsyncEnd implements AsyncListener {
    private final End end;
    private volatile boolean broken;

    AsyncEnd(End end) {
        this.end = end;
    }

    @Override
    public void onComplete(AsyncEvent event) {
        end.ended(broken);
    }

    /** A time-out that the application answers is no failure; one that it does not answer shows in the status. */
    @Override
    public void onTimeout(AsyncEvent event) {}

    @Override
    public void onError(AsyncEvent event) {
        broken = true;
    }

    /** A request that goes asynchronous again forgets its listeners. */
    @Override
    public void onStartAsync(AsyncEvent event) {
        event.getAsyncContext().addListener(this);
    }

    /** What is told. */
    @FunctionalInterface
    interface End {
        void ended(boolean broken);
    }
}
