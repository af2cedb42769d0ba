package io.sluice.spring.report;

/** Whether callers can find this instance in the registry that is in use. */
public interface Presence {
    boolean isRegistered();

    /** Calls back, on any thread, whenever that may have changed. */
    void onChange(Runnable listener);

    /** That of an instance in no registry that it could leave: whoever knows its address finds it. */
    static Presence always() {
        return new Presence() {
            @Override
            public boolean isRegistered() {
                return true;
            }

            @Override
            public void onChange(Runnable listener) {}
        };
    }
}
