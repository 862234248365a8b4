// Package webhooks verifies the notifications of the integrations service.
package webhooks

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"time"
)

const window = 5 * time.Minute

// VerifyWebhook says why a notification must be refused; it is good when the reason is empty.
//
// rawBody are the bytes as they arrived, before anything parsed them; header is the value of service-hmac-sha256, empty
// when there was none; secrets are the webhook secrets of your integrations, by integration id.
func VerifyWebhook(rawBody []byte, header string, secrets map[string]string, now time.Time) string {
	if header == "" {
		return "missing_signature"
	}

	// A map and not a struct: the names of a struct's fields are matched in any case. What cannot be parsed leaves it
	// empty. Not proven yet: the integration only chooses which secret the signature is compared with.
	var envelope map[string]any
	_ = json.Unmarshal(rawBody, &envelope)
	integration, _ := envelope["integration_id"].(string)
	secret, known := secrets[integration]
	if !known {
		return "bad_signature"
	}
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write(rawBody)
	expected := base64.StdEncoding.EncodeToString(mac.Sum(nil))
	// hmac.Equal takes the same time wherever they differ.
	if !hmac.Equal([]byte(header), []byte(expected)) {
		return "bad_signature"
	}

	stamp, _ := envelope["webhook_timestamp"].(string)
	sentAt, err := time.Parse(time.RFC3339, stamp)
	if err != nil {
		return "missing_timestamp"
	}

	if age := now.Sub(sentAt); age > window || age < -window {
		return "stale_timestamp"
	}
	return ""
}
