package io.sluice.server;

import io.swagger.v3.oas.models.Components;
import io.swagger.v3.oas.models.OpenAPI;
import io.swagger.v3.oas.models.info.Info;
import io.swagger.v3.oas.models.security.SecurityRequirement;
import io.swagger.v3.oas.models.security.SecurityScheme;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** What the published description of the API says about all of it. */
@Configuration(proxyBeanMethods = false)
class ApiDescription {
    @Bean
    OpenAPI openApi() {
        SecurityScheme bearer =
                new SecurityScheme().type(SecurityScheme.Type.HTTP).scheme("bearer");
        return new OpenAPI()
                .info(new Info().title("Sluice control plane").version("1"))
                .components(new Components().addSecuritySchemes("token", bearer))
                .addSecurityItem(new SecurityRequirement().addList("token"));
    }
}
