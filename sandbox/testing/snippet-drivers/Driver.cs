using System;
using System.Collections.Generic;

public static class Driver
{
    public static void Main(string[] args)
    {
        var secrets = new Dictionary<string, string> { [args[0]] = args[1] };
        string line;
        while ((line = Console.In.ReadLine()) != null)
        {
            string[] fields = line.Split('\t');
            DateTimeOffset now = DateTimeOffset.FromUnixTimeMilliseconds(long.Parse(fields[2]));
            string header = fields[1] == "-" ? null : fields[1];
            Console.Out.WriteLine(Webhooks.VerifyWebhook(Convert.FromBase64String(fields[0]), header, secrets, now) ?? "ok");
        }
    }
}
