package main

import (
	"bufio"
	"encoding/base64"
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"

	"example.com/webhooks"
)

func main() {
	lines := bufio.NewScanner(os.Stdin)
	for lines.Scan() {
		fields := strings.Split(lines.Text(), "\t")
		body, err := base64.StdEncoding.DecodeString(fields[0])
		if err != nil {
			panic(err)
		}
		now, err := strconv.ParseInt(fields[2], 10, 64)
		if err != nil {
			panic(err)
		}
		header := fields[1]
		if header == "-" {
			header = ""
		}
		reason := webhooks.VerifyWebhook(body, header, map[string]string{os.Args[1]: os.Args[2]}, time.UnixMilli(now))
		if reason == "" {
			reason = "ok"
		}
		fmt.Println(reason)
	}
}
