package io.sluice.core.identity;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Who is asking: the customer, and for anonymous requests only, the request itself. Absent parts are empty strings.
 *
 * <p>Ids are compared as sent: {@code " 42"} is not {@code "42"}, and two Unicode spellings of one name are two
 * customers. An id that cannot be a key counts as absent: one that is longer than {@value #LONGEST_BYTES} bytes of UTF-8,
 * has a surrogate without its partner, which would share its bucket with others, or has a control character or one that
 * turns the direction of writing, which no header or log may carry on.
 *
 * <p>Made once a request, so what every release asks of it is worked out here, and deciding only looks. Immutable.
 */
public final class Identity {
    /** The longest id that is a key, in bytes of UTF-8. */
    public static final int LONGEST_BYTES = 256;

    /** What a usable id is, in the words of a problem. */
    public static final String ALLOWED = "1.." + LONGEST_BYTES + " bytes without control characters";

    private static final Identity NOBODY = new Identity("", "", "");

    private final String customer;
    private final String requestId;
    private final String channel;
    private final String key;
    private final Traits traits;

    private Identity(String customer, String requestId, String channel) {
        this.customer = customer;
        this.requestId = requestId;
        this.channel = channel;
        this.key = customer.isEmpty() ? requestId : customer;
        this.traits = Traits.of(customer, channel);
    }

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
        return key;
    }

    /** The customer's id, or empty. */
    public String customer() {
        return customer;
    }

    /** The id of this one request, or empty. */
    public String requestId() {
        return requestId;
    }

    /** Through what the customer came ({@code app}, {@code web}), or empty; not a release channel. */
    public String channel() {
        return channel;
    }

    /** The outline of the customer and the channel. */
    public Traits traits() {
        return traits;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Identity that
                && customer.equals(that.customer)
                && requestId.equals(that.requestId)
                && channel.equals(that.channel);
    }

    @Override
    public int hashCode() {
        return Objects.hash(customer, requestId, channel);
    }

    @Override
    public String toString() {
        return "Identity[customer=" + customer + ", requestId=" + requestId + ", channel=" + channel + "]";
    }

    /** Whether an id can be a key; the empty id cannot. */
    public static boolean isUsable(String id) {
        return !id.isEmpty() && utf8Length(id) <= LONGEST_BYTES;
    }

    private static String usable(@Nullable String id) {
        return id != null && isUsable(id) ? id : "";
    }

    /** Beyond every limit for an id that is none. */
    private static int utf8Length(String id) {
        if (id.length() > LONGEST_BYTES) {
            return Integer.MAX_VALUE;
        }
        int bytes = 0;
        for (int i = 0; i < id.length(); i++) {
            char c = id.charAt(i);
            if (acts(c)) {
                return Integer.MAX_VALUE;
            } else if (c < 0x80) {
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

    /** The control characters, ends of lines and paragraphs, and the marks that turn the direction of writing. */
    private static boolean acts(char c) {
        return c < 0x20
                || (c >= 0x7f && c <= 0x9f)
                || c == 0x61c
                || (c >= 0x200e && c <= 0x200f)
                || (c >= 0x2028 && c <= 0x202e)
                || (c >= 0x2066 && c <= 0x2069);
    }
}
