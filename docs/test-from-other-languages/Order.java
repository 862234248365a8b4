// Orders a part and waits for the verified webhook that its supplier confirmed it: `javac *.java`, then
// `sandbox exec -- java Order`.
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

public final class Order {
    private static final String BASE = System.getenv("SANDBOX_BASE_URL");
    private static final String API_KEY = System.getenv("SANDBOX_REPAIRER_API_KEY");
    private static final String INTEGRATION_ID = System.getenv("SANDBOX_REPAIRER_INTEGRATION_ID");
    private static final String SECRET = System.getenv("SANDBOX_REPAIRER_WEBHOOK_SECRET");
    /** The name of this machine for a sandbox in a container. Without it, both run on this machine. */
    private static final String RECEIVER_HOST = System.getenv("RECEIVER_HOST");

    private static final HttpClient CLIENT = HttpClient.newHttpClient();
    private static final BlockingQueue<String> VERIFIED = new LinkedBlockingQueue<>();

    private Order() {}

    public static void main(String[] args) throws Exception {
        HttpServer server = HttpServer.create(new InetSocketAddress(RECEIVER_HOST == null ? "127.0.0.1" : "0.0.0.0", 0), 0);
        server.createContext("/hooks", Order::receive);
        server.start();
        try {
            order(server.getAddress().getPort());
        } finally {
            server.stop(0);
        }
    }

    private static void order(int port) throws Exception {
        String host = RECEIVER_HOST == null ? "127.0.0.1" : RECEIVER_HOST;
        String url = "http://" + host + ":" + port + "/hooks";
        post("/__webhooks/subscribe", json("{'integration_id': '%s', 'url': '%s'}", INTEGRATION_ID, url));

        String site = find(call("businesses.list", "{}"), "\"type\":\"repairer_site\",\"id\":\"([^\"]+)\"");
        // One supplier makes offers, and it confirms the order as soon as it is placed.
        String claim = "test:offers=one;confirm-after=0s";
        String job = "{'identity': {'external': '%s'}, 'repairer_site_id': '%s', 'claim_number': '%s'}";
        String jobId = text(call("repairer.jobs.insert", json(job, UUID.randomUUID(), site, claim)), "id");
        String parts = "{'job_identity': {'id': '%s'}, 'parts': [{'description': 'Bonnet'}]}";
        call("repairer.jobs.parts.insert", json(parts, jobId));
        String basket = call("repairer.jobs.baskets.latest.get", json("{'job_identity': {'id': '%s'}}", jobId));
        String choice = json("{'job_identity': {'id': '%s'}, 'sellable_ids': ['%s']}", jobId, text(basket, "sellable_id"));
        String placed = post("/__extensions/2026-01/repairer.procurements.place", choice);
        String orderId = text(placed, "id");

        waitForConfirmation(orderId);
        String order = call("repairer.procurements.get", json("{'identity': {'id': '%s'}}", orderId));
        if (!text(order, "status").equals("order_confirmed")) throw new IllegalStateException(order);
        System.out.println("Order " + orderId + " is confirmed, and its webhook is verified.");
    }

    private static void receive(HttpExchange exchange) {
        try {
            byte[] body = exchange.getRequestBody().readAllBytes();
            String header = exchange.getRequestHeaders().getFirst("service-hmac-sha256");
            String reason = VerifyWebhook.verify(body, header, Map.of(INTEGRATION_ID, SECRET), Instant.now());
            exchange.sendResponseHeaders(reason == null ? 200 : 401, -1);
            VERIFIED.add(reason == null ? new String(body, StandardCharsets.UTF_8) : "refused: " + reason);
        } catch (Exception error) {
            VERIFIED.add("refused: " + error);
        } finally {
            exchange.close();
        }
    }

    private static void waitForConfirmation(String orderId) throws InterruptedException {
        String arrived;
        do {
            arrived = VERIFIED.poll(10, TimeUnit.SECONDS);
            if (arrived == null) throw new IllegalStateException("No confirmation arrived within 10 seconds.");
            if (arrived.startsWith("refused")) throw new IllegalStateException("A notification was " + arrived);
        } while (!(arrived.contains(orderId) && arrived.contains("\"order_confirmed\"")));
    }

    private static String call(String operation, String body) throws Exception {
        return post("/api/2026-01/" + operation, body);
    }

    private static String post(String path, String body) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create(BASE + path))
                .header("content-type", "application/json")
                .header("authorization", "Bearer " + API_KEY)
                .header("service-integration-id", INTEGRATION_ID)
                .POST(HttpRequest.BodyPublishers.ofString(body))
                .build();
        HttpResponse<String> response = CLIENT.send(request, HttpResponse.BodyHandlers.ofString());
        if (response.statusCode() != 200) throw new IllegalStateException(path + " answered " + response.body());
        return response.body();
    }

    /** The JDK has no reader or writer of JSON. With Jackson or Gson, write and read objects instead. */
    private static String json(String template, Object... values) {
        return String.format(template, values).replace('\'', '"');
    }

    /** The first text with this name. */
    private static String text(String json, String name) {
        return find(json, "\"" + name + "\":\"([^\"]+)\"");
    }

    private static String find(String json, String pattern) {
        Matcher found = Pattern.compile(pattern).matcher(json);
        if (!found.find()) throw new IllegalStateException(pattern + " is not in " + json);
        return found.group(1);
    }
}
