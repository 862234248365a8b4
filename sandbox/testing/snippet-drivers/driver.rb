require File.join(ARGV[0], "verify_webhook")

$stdin.read.strip.split("\n").each do |line|
  body, header, now = line.split("\t", -1)
  reason = verify_webhook(
    body.unpack1("m"), header == "-" ? nil : header, { ARGV[1] => ARGV[2] }, Time.at(Rational(now.to_i, 1000))
  )
  puts reason || "ok"
end
