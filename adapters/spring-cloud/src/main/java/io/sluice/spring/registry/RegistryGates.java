package io.sluice.spring.registry;

import java.lang.reflect.Modifier;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.cloud.client.serviceregistry.Registration;
import org.springframework.cloud.client.serviceregistry.ServiceRegistry;

/**
 * Puts a gate before each registry, so that {@link Registrations} knows what the application wants registered, and holds it
 * back where it must not be found. The gate is a subclass of the registry's class, since applications ask for that by name.
 */
final class RegistryGates implements BeanPostProcessor {
    private static final Logger LOG = LoggerFactory.getLogger(RegistryGates.class);

    private final ObjectProvider<Registrations> registrations;

    RegistryGates(ObjectProvider<Registrations> registrations) {
        this.registrations = registrations;
    }

    @Override
    @SuppressWarnings("unchecked") // A registry is only ever given what it was given before.
    public Object postProcessAfterInitialization(Object bean, String beanName) {
        if (!(bean instanceof ServiceRegistry<?> registry)) {
            return bean;
        }
        if (Modifier.isFinal(bean.getClass().getModifiers())) {
            LOG.warn("{} is final: this instance cannot leave that registry while its side is closed", bean.getClass());
            return bean;
        }
        ProxyFactory gated = new ProxyFactory(bean);
        gated.setProxyTargetClass(true);
        gated.addAdvice(new Gate((ServiceRegistry<Registration>) registry, registrations));
        return gated.getProxy(bean.getClass().getClassLoader());
    }

    private record Gate(ServiceRegistry<Registration> registry, ObjectProvider<Registrations> registrations)
            implements MethodInterceptor {
        @Override
        public @Nullable Object invoke(MethodInvocation call) throws Throwable {
            Object[] arguments = call.getArguments();
            if (arguments.length == 1 && arguments[0] instanceof Registration registration) {
                switch (call.getMethod().getName()) {
                    case "register" -> {
                        registrations.getObject().register(registry, registration);
                        return null;
                    }
                    case "deregister" -> {
                        registrations.getObject().deregister(registry, registration);
                        return null;
                    }
                    default -> {
                        // Questions of a registration's status go through.
                    }
                }
            }
            return call.proceed();
        }
    }
}
