package io.sluice.cli.demo.load;

import io.sluice.core.identity.Identity;

/**
 * One request to the shop.
 *
 * @param number counts the visits, and is what is ordered
 * @param who a customer, or the request's own id
 * @param tag a tag that it sends along: forged when it comes from outside; usually empty
 */
public record Visit(long number, Identity who, String tag) {
    public boolean hasTag() {
        return !tag.isEmpty();
    }
}
