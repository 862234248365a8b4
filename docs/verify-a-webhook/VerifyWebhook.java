import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;
import java.util.Base64;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

public final class VerifyWebhook {
    private static final Duration WINDOW = Duration.ofMinutes(5);

    private VerifyWebhook() {}

    /**
     * Why a notification must be refused, or null when it is good.
     *
     * @param rawBody the bytes as they arrived, before anything parsed them
     * @param header the value of service-hmac-sha256, or null
     * @param secrets the webhook secret of each of your integrations, by integration id
     */
    public static String verify(byte[] rawBody, String header, Map<String, String> secrets, Instant now)
            throws GeneralSecurityException {
        if (header == null || header.isEmpty()) return "missing_signature";

        // Not proven yet: the integration only chooses which secret the signature is compared with.
        String json = new String(rawBody, StandardCharsets.UTF_8);
        String integration = field(json, "integration_id");
        String secret = integration == null ? null : secrets.get(integration);
        if (secret == null) return "bad_signature";
        Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(secret.getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
        byte[] expected = Base64.getEncoder().encode(mac.doFinal(rawBody));
        // isEqual takes the same time wherever they differ.
        if (!MessageDigest.isEqual(header.getBytes(StandardCharsets.UTF_8), expected)) return "bad_signature";

        String stamp = field(json, "webhook_timestamp");
        if (stamp == null) return "missing_timestamp";
        Instant sentAt;
        try {
            sentAt = OffsetDateTime.parse(stamp).toInstant();
        } catch (DateTimeParseException notATime) {
            return "missing_timestamp";
        }

        return Duration.between(sentAt, now).abs().compareTo(WINDOW) > 0 ? "stale_timestamp" : null;
    }

    /**
     * A text field of the envelope. The JDK has no reader of JSON; with Jackson or Gson, read the parsed object instead.
     * It is enough here: before the signature is proven nothing depends on it but the choice of the secret, and after
     * it the bytes are the service's own, in which nothing else has these names, and neither field holds escapes.
     */
    private static String field(String json, String name) {
        Matcher found = Pattern.compile("\"" + name + "\"\\s*:\\s*\"([^\"\\\\]*)\"").matcher(json);
        return found.find() ? found.group(1) : null;
    }
}
