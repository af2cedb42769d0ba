package io.sluice.wire;

import io.sluice.core.rule.Names;

/** The body of a request for an access token: {@code {"name":"..."}}. */
public final class TokenRequestJson {
    private TokenRequestJson() {}

    public static byte[] write(String name) {
        return JsonText.write(JsonText.newObject().put("name", name));
    }

    /**
     * Reads the token's name.
     *
     * @throws io.sluice.core.problem.RefusedException with every problem of the document
     */
    public static String readStrict(byte[] json) {
        return JsonText.readStrict(json, in -> {
            Read<String> name = in.text("name", Names::requireId);
            return in.end(name::get);
        });
    }
}
