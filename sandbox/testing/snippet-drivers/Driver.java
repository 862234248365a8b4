import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Base64;
import java.util.Map;

public final class Driver {
    public static void main(String[] args) throws Exception {
        BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            String[] fields = line.split("\t", -1);
            String reason = VerifyWebhook.verify(
                    Base64.getDecoder().decode(fields[0]),
                    fields[1].equals("-") ? null : fields[1],
                    Map.of(args[0], args[1]),
                    Instant.ofEpochMilli(Long.parseLong(fields[2])));
            System.out.println(reason == null ? "ok" : reason);
        }
    }
}
