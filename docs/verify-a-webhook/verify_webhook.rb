require "json"
require "openssl"
require "time"

WINDOW_SECONDS = 5 * 60

# Why a notification must be refused, or nil when it is good.
#
# raw_body: the bytes as they arrived, before anything parsed them (Rack: request.body.read)
# header: the value of service-hmac-sha256, or nil (Rack: env["HTTP_SERVICE_HMAC_SHA256"])
# secrets: the webhook secret of each of your integrations, by integration id
def verify_webhook(raw_body, header, secrets, now = Time.now)
  return "missing_signature" if header.nil? || header.empty?

  # Not proven yet: the integration only chooses which secret the signature is compared with.
  envelope = begin
    JSON.parse(raw_body.dup.force_encoding(Encoding::UTF_8))
  rescue JSON::ParserError, EncodingError
    nil
  end
  envelope = {} unless envelope.is_a?(Hash)
  secret = secrets[envelope["integration_id"]]
  return "bad_signature" if secret.nil?
  expected = [OpenSSL::HMAC.digest("SHA256", secret, raw_body)].pack("m0")
  # Takes the same time wherever they differ, and compares texts of any length.
  return "bad_signature" unless OpenSSL.secure_compare(header, expected)

  begin
    # Time.parse would take "10:00" for a time.
    sent_at = Time.iso8601(envelope["webhook_timestamp"])
  rescue ArgumentError, TypeError, NoMethodError
    return "missing_timestamp"
  end

  (now - sent_at).abs > WINDOW_SECONDS ? "stale_timestamp" : nil
end
