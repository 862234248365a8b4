// Orders a part and waits for the verified webhook that its supplier confirmed it: `sandbox exec -- dotnet run`.
using System.Text.Json.Nodes;
using System.Threading.Channels;

string Setting(string name) => Environment.GetEnvironmentVariable(name) ?? throw new Exception($"{name} is not set.");
string apiKey = Setting("SANDBOX_REPAIRER_API_KEY");
string integrationId = Setting("SANDBOX_REPAIRER_INTEGRATION_ID");
var secrets = new Dictionary<string, string> { [integrationId] = Setting("SANDBOX_REPAIRER_WEBHOOK_SECRET") };
// The name of this machine for a sandbox in a container. Without it, both run on this machine.
string receiverHost = Environment.GetEnvironmentVariable("RECEIVER_HOST");

using var client = new HttpClient { BaseAddress = new Uri(Setting("SANDBOX_BASE_URL")) };
client.DefaultRequestHeaders.Add("authorization", $"Bearer {apiKey}");
client.DefaultRequestHeaders.Add("service-integration-id", integrationId);

async Task<JsonNode> Post(string path, object body)
{
    using var response = await client.PostAsJsonAsync(path, body);
    string text = await response.Content.ReadAsStringAsync();
    if (!response.IsSuccessStatusCode) throw new Exception($"{path} answered {(int)response.StatusCode}: {text}");
    return JsonNode.Parse(text);
}
Task<JsonNode> Call(string operation, object body) => Post($"/api/2026-01/{operation}", body);

var arrived = Channel.CreateUnbounded<(string Reason, JsonNode Notification)>();
var builder = WebApplication.CreateSlimBuilder();
builder.Logging.ClearProviders();
await using var app = builder.Build();
app.Urls.Add($"http://{(receiverHost == null ? "127.0.0.1" : "0.0.0.0")}:0");
app.MapPost("/hooks", async (HttpRequest request) =>
{
    using var body = new MemoryStream();
    await request.Body.CopyToAsync(body);
    string header = request.Headers["service-hmac-sha256"];
    string reason = Webhooks.VerifyWebhook(body.ToArray(), header, secrets, DateTimeOffset.UtcNow);
    arrived.Writer.TryWrite((reason, reason == null ? JsonNode.Parse(body.ToArray()) : null));
    return Results.StatusCode(reason == null ? 200 : 401);
});
await app.StartAsync();
string url = $"http://{receiverHost ?? "127.0.0.1"}:{new Uri(app.Urls.First()).Port}/hooks";
await Post("/__webhooks/subscribe", new { integration_id = integrationId, url });

var businesses = await Call("businesses.list", new { });
var site = businesses["items"].AsArray().First(one => (string)one["type"] == "repairer_site");
var job = await Call("repairer.jobs.insert", new
{
    identity = new { external = Guid.NewGuid().ToString() },
    repairer_site_id = (string)site["id"],
    // One supplier makes offers, and it confirms the order as soon as it is placed.
    claim_number = "test:offers=one;confirm-after=0s",
});
var job_identity = new { id = (string)job["id"] };
await Call("repairer.jobs.parts.insert", new { job_identity, parts = new[] { new { description = "Bonnet" } } });
var basket = await Call("repairer.jobs.baskets.latest.get", new { job_identity });
var sellable_ids = new[] { (string)basket["offers"][0]["sellable_id"] };
var placed = await Post("/__extensions/2026-01/repairer.procurements.place", new { job_identity, sellable_ids });
string orderId = (string)placed["items"][0]["id"];

using var limit = new CancellationTokenSource(TimeSpan.FromSeconds(10));
while (true)
{
    var (reason, notification) = await arrived.Reader.ReadAsync(limit.Token);
    if (reason != null) throw new Exception($"A notification was refused: {reason}");
    var payload = notification["payload"];
    if ((string)payload["procurement_id"] == orderId && (string)payload["status"] == "order_confirmed") break;
}
var order = await Call("repairer.procurements.get", new { identity = new { id = orderId } });
if ((string)order["status"] != "order_confirmed") throw new Exception((string)order["status"]);
Console.WriteLine($"Order {orderId} is confirmed, and its webhook is verified.");
