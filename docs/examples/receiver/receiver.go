// Receives deliveries, checks their signatures and stores each event once: go run receiver.go
package main

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"
)

const (
	tolerance    = 300 * time.Second
	maxBodyBytes = 1 << 20
	inboxFile    = "inbox.ndjson" // stands for a table with a unique id
)

type envelope struct {
	ID   string          `json:"id"`
	Type string          `json:"type"`
	Data json.RawMessage `json:"data"`
}

// isGenuine reports whether a delivery was signed with one of the secrets, and recently.
func isGenuine(header string, body []byte, secrets []string, now time.Time) bool {
	var t string
	var given [][]byte
	for _, part := range strings.Split(header, ",") {
		name, value, _ := strings.Cut(strings.TrimSpace(part), "=")
		if name == "t" {
			t = value
		} else if signature, err := hex.DecodeString(value); name == "v1" && err == nil {
			given = append(given, signature)
		}
	}
	seconds, err := strconv.ParseInt(t, 10, 64)
	if err != nil || now.Sub(time.Unix(seconds, 0)).Abs() > tolerance {
		return false
	}
	for _, secret := range secrets {
		mac := hmac.New(sha256.New, []byte(secret))
		fmt.Fprintf(mac, "%s.%s", t, body)
		expected := mac.Sum(nil)
		for _, signature := range given {
			if hmac.Equal(signature, expected) { // in constant time
				return true
			}
		}
	}
	return false
}

// inbox stores events, each once.
type inbox struct {
	sync.Mutex
	file *os.File
	ids  map[string]bool
}

func openInbox() (*inbox, error) {
	file, err := os.OpenFile(inboxFile, os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		return nil, err
	}
	stored := &inbox{file: file, ids: map[string]bool{}}
	for lines := json.NewDecoder(file); ; {
		var event envelope
		if err := lines.Decode(&event); errors.Is(err, io.EOF) {
			return stored, nil
		} else if err != nil {
			return nil, err
		}
		stored.ids[event.ID] = true
	}
}

// add stores an event and reports whether it is new.
func (stored *inbox) add(event envelope, body []byte) (bool, error) {
	stored.Lock()
	defer stored.Unlock()
	if stored.ids[event.ID] {
		return false, nil
	}
	var line bytes.Buffer
	if err := json.Compact(&line, body); err != nil {
		return false, err
	}
	line.WriteByte('\n')
	if _, err := stored.file.Write(line.Bytes()); err != nil {
		return false, err
	}
	if err := stored.file.Sync(); err != nil {
		return false, err
	}
	stored.ids[event.ID] = true
	return true, nil
}

// work runs after the response. Put slow work here.
func work(event envelope) {
	if event.Type == "decision_room.updated" {
		log.Printf("a room has changed: %s", event.Data)
	}
}

func main() {
	secrets := strings.FieldsFunc(os.Getenv("WEBHOOK_SECRETS"), func(char rune) bool { return char == ',' })
	if len(secrets) == 0 {
		log.Fatal("WEBHOOK_SECRETS: set at least one signing secret")
	}
	stored, err := openInbox()
	if err != nil {
		log.Fatal(err)
	}
	receive := func(response http.ResponseWriter, request *http.Request) {
		if request.Method != http.MethodPost {
			response.WriteHeader(http.StatusMethodNotAllowed)
			return
		}
		body, err := io.ReadAll(http.MaxBytesReader(response, request.Body, maxBodyBytes))
		if err != nil {
			response.WriteHeader(http.StatusRequestEntityTooLarge)
			return
		}
		if !isGenuine(request.Header.Get("X-Service-Signature"), body, secrets, time.Now()) {
			response.WriteHeader(http.StatusBadRequest)
			return
		}
		// Parse only now: the signature proves that the service wrote this body.
		var event envelope
		if err := json.Unmarshal(body, &event); err != nil {
			response.WriteHeader(http.StatusBadRequest)
			return
		}
		isNew, err := stored.add(event, body)
		if err != nil { // The delivery is sent again.
			log.Print(err)
			response.WriteHeader(http.StatusInternalServerError)
			return
		}
		response.WriteHeader(http.StatusNoContent)
		if isNew {
			go work(event)
		}
	}
	port := os.Getenv("PORT")
	if port == "" {
		port = "8080"
	}
	server := &http.Server{Addr: ":" + port, Handler: http.HandlerFunc(receive), ReadTimeout: 10 * time.Second}
	log.Fatal(server.ListenAndServe())
}
