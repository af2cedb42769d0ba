package io.sluice.spring.loadbalancer;

import io.sluice.spring.SluiceAutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.cloud.loadbalancer.annotation.LoadBalancerClients;
import org.springframework.cloud.loadbalancer.core.ServiceInstanceListSupplier;

/** Makes every client of the load balancer choose by lane. */
@AutoConfiguration(after = SluiceAutoConfiguration.class)
@ConditionalOnClass(ServiceInstanceListSupplier.class)
@LoadBalancerClients(defaultConfiguration = LaneFilteringConfiguration.class)
public class SluiceLoadBalancerAutoConfiguration {}
