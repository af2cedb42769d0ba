package io.sluice.dubbo;

import java.util.concurrent.atomic.AtomicReference;
import org.apache.dubbo.rpc.model.ApplicationModel;
import org.jspecify.annotations.Nullable;

/** Where an application's {@link SluiceDubbo} is put and found: several applications may live in one process. */
final class Slot {
    private final AtomicReference<@Nullable SluiceDubbo> installed = new AtomicReference<>();

    private Slot() {}

    static Slot of(ApplicationModel application) {
        return application.getBeanFactory().getOrRegisterBean(Slot.class, type -> new Slot());
    }

    /** What is installed; null before it is, and after it was closed. */
    @Nullable
    SluiceDubbo get() {
        return installed.get();
    }

    boolean put(SluiceDubbo sluice) {
        return installed.compareAndSet(null, sluice);
    }

    void clear(SluiceDubbo sluice) {
        installed.compareAndSet(sluice, null);
    }
}
