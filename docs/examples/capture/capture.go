// Sends a record in a request of its own: go run capture.go
package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
	"time"
)

var client = &http.Client{
	Timeout: 30 * time.Second,
	// Following a redirect could send the token to another server.
	CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
}

// errLater says that the same records may be captured if they are sent again.
var errLater = errors.New("not captured now")

// result is a line of the response.
type result struct {
	Line   int `json:"line"`
	Errors []struct {
		Field   string `json:"field"`
		Message string `json:"message"`
	} `json:"errors"`
	Done  bool   `json:"done"`
	Error string `json:"error"`
}

// capture sends records and returns when all of them are stored.
func capture(records ...any) error {
	var body bytes.Buffer
	for _, record := range records {
		if err := json.NewEncoder(&body).Encode(record); err != nil {
			return err
		}
	}
	url := strings.TrimSuffix(os.Getenv("CAPTURE_URL"), "/") + "/records"
	request, err := http.NewRequest(http.MethodPost, url, &body)
	if err != nil {
		return err
	}
	request.Header.Set("Authorization", "Bearer "+os.Getenv("CAPTURE_TOKEN"))
	request.Header.Set("Content-Type", "application/x-ndjson")
	response, err := client.Do(request)
	if err != nil {
		return fmt.Errorf("%w: %v", errLater, err)
	}
	defer response.Body.Close()
	if response.StatusCode >= 300 && response.StatusCode < 400 {
		return fmt.Errorf("redirected to %s", response.Header.Get("Location"))
	}
	var refused error
	lines := json.NewDecoder(response.Body)
	for {
		var line result
		if err := lines.Decode(&line); err != nil {
			if errors.Is(err, io.EOF) {
				err = errors.New("the response was cut")
			}
			return fmt.Errorf("%w: %v", errLater, err)
		}
		switch {
		case line.Done:
			return refused
		case line.Error != "" && response.StatusCode >= 400 && response.StatusCode < 500 &&
			response.StatusCode != http.StatusRequestTimeout && response.StatusCode != http.StatusTooManyRequests:
			return errors.New(line.Error)
		case line.Error != "":
			return fmt.Errorf("%w: %s", errLater, line.Error)
		case line.Errors != nil:
			refused = fmt.Errorf("line %d is refused: %+v", line.Line, line.Errors)
		}
	}
}

func main() {
	visit := map[string]any{
		"record":         "event",
		"companyId":      1001,
		"key":            "visit-4711", // The same key again is the same event.
		"type":           "room_visit",
		"occurredAt":     time.Now().UTC().Format(time.RFC3339),
		"distributionId": os.Getenv("DISTRIBUTION_ID"),
	}
	for wait := time.Second; ; wait *= 2 {
		err := capture(visit)
		if err == nil {
			return
		}
		fmt.Fprintln(os.Stderr, err)
		if !errors.Is(err, errLater) || wait > time.Minute {
			os.Exit(1)
		}
		time.Sleep(wait)
	}
}
