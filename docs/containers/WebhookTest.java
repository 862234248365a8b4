import static org.junit.jupiter.api.Assertions.assertEquals;

import com.sun.net.httpserver.HttpServer;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Test;
import org.testcontainers.Testcontainers;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.containers.wait.strategy.Wait;
import org.testcontainers.utility.DockerImageName;

class WebhookTest {
  // Every local sandbox has these.
  static final String API_KEY = "sbx_7d41f0b9c2e84a5396d8b7135fae0c21";
  static final String INTEGRATION_ID = "1f0c9a52-6d3b-4e87-9b1a-2c5d7e8f9a01";
  static final HttpClient client = HttpClient.newHttpClient();

  record Notification(byte[] body, String signature) {}

  @Test
  void aWebhookArrives() throws Exception {
    var notifications = new LinkedBlockingQueue<Notification>();
    var receiver = HttpServer.create(new InetSocketAddress(0), 0);
    receiver.createContext("/hooks", exchange -> {
      var signature = exchange.getRequestHeaders().getFirst("service-hmac-sha256");
      notifications.add(new Notification(exchange.getRequestBody().readAllBytes(), signature));
      exchange.sendResponseHeaders(200, -1);
      exchange.close();
    });
    receiver.start();
    int port = receiver.getAddress().getPort();
    Testcontainers.exposeHostPorts(port);

    try (var sandbox = new GenericContainer<>(DockerImageName.parse("integrations-explorer-sandbox"))
        .withExposedPorts(4026)
        .withAccessToHost(true)
        .withEnv("SANDBOX_RECEIVER_HOST", "host.testcontainers.internal")
        .waitingFor(Wait.forHttp("/__health").forPort(4026))) {
      sandbox.start();
      String base = "http://" + sandbox.getHost() + ":" + sandbox.getMappedPort(4026);
      String url = "http://host.testcontainers.internal:" + port + "/hooks";
      call(base + "/__webhooks/subscribe", """
          {"integration_id":"%s","url":"%s"}""".formatted(INTEGRATION_ID, url));
      String secret = textIn("\"secret\":\"([^\"]+)\"", call(base + "/__webhooks/secret", "{}"));

      String businesses = call(base + "/api/2026-01/businesses.list", "{}");
      String site = textIn("\"type\":\"repairer_site\",\"id\":\"([^\"]+)\"", businesses);
      call(base + "/api/2026-01/repairer.jobs.insert", """
          {"identity":{"external":"webhook-test"},"repairer_site_id":"%s"}""".formatted(site));

      Notification notification = notifications.poll(15, TimeUnit.SECONDS);
      Mac hmac = Mac.getInstance("HmacSHA256");
      hmac.init(new SecretKeySpec(secret.getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
      String expected = Base64.getEncoder().encodeToString(hmac.doFinal(notification.body()));
      assertEquals(expected, notification.signature());
      String event = new String(notification.body(), StandardCharsets.UTF_8);
      assertEquals("repairer.jobs", textIn("\"event_type\":\"([^\"]+)\"", event));
    } finally {
      receiver.stop(0);
    }
  }

  static String call(String address, String body) throws Exception {
    var request = HttpRequest.newBuilder(URI.create(address))
        .header("Content-Type", "application/json")
        .header("Authorization", "Bearer " + API_KEY)
        .header("Service-Integration-ID", INTEGRATION_ID)
        .POST(HttpRequest.BodyPublishers.ofString(body))
        .build();
    var response = client.send(request, BodyHandlers.ofString());
    assertEquals(200, response.statusCode(), response.body());
    return response.body();
  }

  // Your project has a JSON library: use that.
  static String textIn(String pattern, String json) {
    var matcher = Pattern.compile(pattern).matcher(json);
    assertEquals(true, matcher.find(), json);
    return matcher.group(1);
  }
}
