package io.sluice.spring;

import io.sluice.core.identity.RequestView;
import org.jspecify.annotations.Nullable;

/** A request as the edge sees it: with the query, which rules don't ask but an identity may stand in. */
public interface EdgeRequest extends RequestView {
    /** The value of a query parameter by its exact name; null when it is absent or given more than once. */
    @Nullable
    String query(String name);
}
