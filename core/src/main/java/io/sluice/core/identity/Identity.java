package io.sluice.core.identity;

import org.jspecify.annotations.Nullable;

/**
 * Who is asking: the customer, and for anonymous requests only, the request itself. Absent parts are empty strings.
 *
 * <p>Ids are compared as sent: {@code " 42"} is not {@code "42"}, and two Unicode spellings of one name are two
 * customers. An id that cannot be a key (longer than {@value #LONGEST_BYTES} bytes of UTF-8, or with a surrogate that
 * has no partner, which would share its bucket with others) counts as absent.
 *
 * @param customer the customer's id, or empty
 * @param requestId the id of this one request, or empty
 * @param channel through what the customer came ({@code app}, {@code web}), or empty; not a release channel
 */
public record Identity(String customer, String requestId, String channel) {
    /** The longest id that is a key, in bytes of UTF-8. */
    public static final int LONGEST_BYTES = 256;

    private static final Identity NOBODY = new Identity("", "", "");

    /** An identity of what the edge found; unusable ids count as absent. Never throws. */
    public static Identity of(@Nullable String customer, @Nullable String requestId, @Nullable String channel) {
        return new Identity(usable(customer), usable(requestId), usable(channel));
    }

    public static Identity ofCustomer(String customer) {
        return of(customer, null, null);
    }

    public static Identity ofRequest(String requestId) {
        return of(null, requestId, null);
    }

    /** Neither a customer nor a request. */
    public static Identity nobody() {
        return NOBODY;
    }

    /** What is hashed: the customer's id if there is one, the request's otherwise, empty when there is neither. */
    public String key() {
        return customer.isEmpty() ? requestId : customer;
    }

    /** Whether an id can be a key; the empty id cannot. */
    public static boolean isUsable(String id) {
        return !id.isEmpty() && utf8Length(id) <= LONGEST_BYTES;
    }

    private static String usable(@Nullable String id) {
        return id != null && isUsable(id) ? id : "";
    }

    private static int utf8Length(String id) {
        if (id.length() > LONGEST_BYTES) {
            return Integer.MAX_VALUE;
        }
        int bytes = 0;
        for (int i = 0; i < id.length(); i++) {
            char c = id.charAt(i);
            if (c < 0x80) {
                bytes += 1;
            } else if (c < 0x800) {
                bytes += 2;
            } else if (!Character.isSurrogate(c)) {
                bytes += 3;
            } else if (Character.isHighSurrogate(c)
                    && i + 1 < id.length()
                    && Character.isLowSurrogate(id.charAt(i + 1))) {
                bytes += 4;
                i++;
            } else {
                return Integer.MAX_VALUE;
            }
        }
        return bytes;
    }
}
