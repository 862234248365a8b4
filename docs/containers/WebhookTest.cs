using System.Net.Http.Json;
using System.Security.Cryptography;
using System.Text;
using System.Text.Json;
using DotNet.Testcontainers.Builders;
using DotNet.Testcontainers.Configurations;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Http;
using Xunit;

public class WebhookTest
{
    // Every local sandbox has these.
    const string ApiKey = "sbx_7d41f0b9c2e84a5396d8b7135fae0c21";
    const string IntegrationId = "1f0c9a52-6d3b-4e87-9b1a-2c5d7e8f9a01";
    const ushort Port = 8787;

    [Fact]
    public async Task AWebhookArrives()
    {
        var arrived = new TaskCompletionSource<(byte[] Body, string Signature)>();
        await using var receiver = WebApplication.Create();
        receiver.Urls.Add($"http://127.0.0.1:{Port}");
        receiver.MapPost("/hooks", async (HttpRequest request) =>
        {
            using var body = new MemoryStream();
            await request.Body.CopyToAsync(body);
            arrived.TrySetResult((body.ToArray(), request.Headers["service-hmac-sha256"].ToString()));
            return Results.Ok();
        });
        await receiver.StartAsync();
        await TestcontainersSettings.ExposeHostPortsAsync(Port);

        await using var sandbox = new ContainerBuilder()
            .WithImage("integrations-explorer-sandbox")
            .WithPortBinding(4026, true)
            .WithEnvironment("SANDBOX_RECEIVER_HOST", "host.testcontainers.internal")
            .WithWaitStrategy(Wait.ForUnixContainer()
                .UntilHttpRequestIsSucceeded(request => request.ForPath("/__health").ForPort(4026)))
            .Build();
        await sandbox.StartAsync();

        using var client = new HttpClient
        {
            BaseAddress = new Uri($"http://{sandbox.Hostname}:{sandbox.GetMappedPublicPort(4026)}"),
        };
        client.DefaultRequestHeaders.Add("Authorization", $"Bearer {ApiKey}");
        client.DefaultRequestHeaders.Add("Service-Integration-ID", IntegrationId);
        async Task<JsonElement> Call(string path, object body)
        {
            var response = await client.PostAsJsonAsync(path, body);
            response.EnsureSuccessStatusCode();
            return await response.Content.ReadFromJsonAsync<JsonElement>();
        }

        var url = $"http://host.testcontainers.internal:{Port}/hooks";
        await Call("/__webhooks/subscribe", new { integration_id = IntegrationId, url });
        var secret = (await Call("/__webhooks/secret", new { })).GetProperty("secret").GetString()!;

        var businesses = await Call("/api/2026-01/businesses.list", new { });
        var site = businesses.GetProperty("items").EnumerateArray()
            .First(one => one.GetProperty("type").GetString() == "repairer_site").GetProperty("id").GetString();
        var job = new { identity = new { external = "webhook-test" }, repairer_site_id = site };
        await Call("/api/2026-01/repairer.jobs.insert", job);

        var (notification, signature) = await arrived.Task.WaitAsync(TimeSpan.FromSeconds(15));
        var expected = HMACSHA256.HashData(Encoding.UTF8.GetBytes(secret), notification);
        Assert.Equal(Convert.ToBase64String(expected), signature);
        using var read = JsonDocument.Parse(notification);
        Assert.Equal("repairer.jobs", read.RootElement.GetProperty("event_type").GetString());
    }
}
