package io.sluice.wire;

import io.sluice.core.decision.BucketHash;
import io.sluice.core.decision.Bucketing;
import io.sluice.core.decision.Percent;
import io.sluice.core.identity.Identity;
import io.sluice.core.problem.RefusedException;
import io.sluice.core.rule.Match;
import io.sluice.core.rule.Names;
import io.sluice.core.rule.Rule;
import java.math.BigDecimal;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The parts that a rule set and a release request share: buckets, allowlist, rules and their conditions. */
final class RuleJson {
    private static final int DEEPEST_MATCH = 8;

    private RuleJson() {}

    /** The salt is the release's id unless it is given: releases then differ by themselves. */
    static Read<Bucketing> readBucketing(Fields in, Read<String> id) {
        Read<String> salt = in.has("salt") ? in.text("salt", RuleJson::requireSalt) : id;
        Read<BucketHash> hash = in.optional("hash", BucketHash.FNV1A_MIXED, field -> in.text(field, BucketHash::parse));
        return in.join("", hash, salt, Bucketing::of);
    }

    static void writeBucketing(ObjectNode out, Bucketing bucketing) {
        out.put("salt", bucketing.salt());
        out.put("hash", bucketing.hash().label());
    }

    static Read<List<String>> readAllow(Fields in) {
        return in.optional("allow", List.of(), field -> in.texts(field, RuleJson::requireCustomer));
    }

    static Read<List<Rule>> readRules(Fields in) {
        return in.optional("rules", List.of(), field -> in.objects(field, RuleJson::readRule));
    }

    static void writeRules(ObjectNode out, List<Rule> rules) {
        ArrayNode list = out.putArray("rules");
        for (Rule rule : rules) {
            ObjectNode entry = list.addObject();
            entry.put("name", rule.name());
            writeMatch(entry.putObject("match"), rule.match());
            writePercent(entry, rule.percent());
        }
    }

    static void writePercent(ObjectNode out, Percent percent) {
        writePercent(out, "percent", percent);
    }

    static void writePercent(ObjectNode out, String field, Percent percent) {
        out.put(field, new BigDecimal(percent.number()));
    }

    /** Sets have no order of their own, and documents are written one way. */
    static void writeSorted(ArrayNode out, Collection<String> texts) {
        texts.stream().sorted().forEach(out::add);
    }

    private static String requireSalt(String salt) {
        return Bucketing.of(BucketHash.FNV1A_MIXED, salt).salt();
    }

    private static String requireCustomer(String id) {
        if (!Identity.isUsable(id)) {
            throw new RefusedException("", id.isEmpty() ? "empty" : id, "must be an id of " + Identity.ALLOWED);
        }
        return id;
    }

    private static Rule readRule(Fields in) {
        Read<String> name = in.text("name", Names::requireId);
        Read<Match> match = in.object("match", nested -> readMatch(nested, 0));
        Read<Percent> percent = in.percent("percent");
        return in.end(() -> Rule.of(name.get(), match.get(), percent.get()));
    }

    /** An unknown kind is refused even by a lenient reading: a condition that is not understood cannot be passed over. */
    private static Match readMatch(Fields in, int depth) {
        if (depth > DEEPEST_MATCH) {
            throw new RefusedException("", "nested deeper", "must nest at most " + DEEPEST_MATCH + " deep");
        }
        if (in.size() == 1) {
            if (in.has("uid")) {
                Read<List<String>> ids = in.texts("uid", RuleJson::requireCustomer);
                return in.end(() -> new Match.Uid(Set.copyOf(ids.get())));
            }
            if (in.has("uidSuffix")) {
                Read<String> suffix = in.text("uidSuffix");
                return in.end(() -> new Match.UidSuffix(suffix.get()));
            }
            if (in.has("channel")) {
                Read<String> name = in.text("channel");
                return in.end(() -> new Match.Channel(name.get()));
            }
            if (in.has("header")) {
                Read<Pair> pair = in.object("header", RuleJson::readPair);
                return in.end(
                        () -> new Match.Header(pair.get().name(), pair.get().value()));
            }
            if (in.has("cookie")) {
                Read<Pair> pair = in.object("cookie", RuleJson::readPair);
                return in.end(
                        () -> new Match.Cookie(pair.get().name(), pair.get().value()));
            }
            if (in.has("all")) {
                Read<List<Match>> matches = in.objects("all", nested -> readMatch(nested, depth + 1));
                return in.end(() -> new Match.All(matches.get()));
            }
        }
        throw new RefusedException(
                "", in.describeNames(), "must be exactly one of uid, uidSuffix, channel, header, cookie, all");
    }

    private static Pair readPair(Fields in) {
        Read<String> name = in.text("name");
        Read<String> value = in.text("value");
        return in.end(() -> new Pair(name.get(), value.get()));
    }

    private static void writeMatch(ObjectNode out, Match match) {
        if (match instanceof Match.Uid uid) {
            writeSorted(out.putArray("uid"), uid.ids());
        } else if (match instanceof Match.UidSuffix suffix) {
            out.put("uidSuffix", suffix.suffix());
        } else if (match instanceof Match.Channel channel) {
            out.put("channel", channel.name());
        } else if (match instanceof Match.Header header) {
            out.putObject("header").put("name", header.name()).put("value", header.value());
        } else if (match instanceof Match.Cookie cookie) {
            out.putObject("cookie").put("name", cookie.name()).put("value", cookie.value());
        } else if (match instanceof Match.All all) {
            ArrayNode list = out.putArray("all");
            all.matches().forEach(nested -> writeMatch(list.addObject(), nested));
        }
    }

    private record Pair(String name, String value) {}
}
