package io.sluice.dubbo;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import org.apache.dubbo.registry.client.AbstractServiceDiscovery;
import org.apache.dubbo.registry.client.ServiceInstance;

/**
 * Writes an instance to its registry though its services have not changed. Dubbo writes in place, so that callers never miss
 * the instance, but by itself only when the services change; that way stands behind two protected methods, which is why they
 * are opened here.
 */
final class Rewriting {
    private final AbstractServiceDiscovery registry;
    private final Method update;
    private final Method register;

    /** @throws IllegalStateException when this version of Dubbo has no such methods */
    Rewriting(AbstractServiceDiscovery registry) {
        this.registry = registry;
        this.update = opened("doUpdate", ServiceInstance.class, ServiceInstance.class);
        this.register = opened("doRegister", ServiceInstance.class);
    }

    /** Puts an instance in the place of the one that is registered. */
    void update(ServiceInstance registered, ServiceInstance newer) {
        call(update, registered, newer);
    }

    /** Registers one that was taken out. */
    void register(ServiceInstance instance) {
        call(register, instance);
    }

    private static Method opened(String name, Class<?>... parameters) {
        try {
            Method method = AbstractServiceDiscovery.class.getDeclaredMethod(name, parameters);
            method.setAccessible(true);
            return method;
        } catch (NoSuchMethodException unknown) {
            throw new IllegalStateException(
                    "Dubbo was a version without AbstractServiceDiscovery." + name + ", but must be 3.3", unknown);
        }
    }

    private void call(Method method, Object... arguments) {
        try {
            var unused = method.invoke(registry, arguments);
        } catch (InvocationTargetException failed) {
            if (failed.getCause() instanceof RuntimeException cause) {
                throw cause;
            }
            throw new IllegalStateException(failed.getCause());
        } catch (IllegalAccessException impossible) {
            throw new IllegalStateException(impossible);
        }
    }
}
