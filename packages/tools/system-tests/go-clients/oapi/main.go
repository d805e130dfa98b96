// Reads the API with the client that oapi-codegen generated from its description, and prints the results.
package main

import (
	"context"
	"encoding/json"
	"log"
	"net/http"
	"os"

	"github.com/google/uuid"

	api "deal-signals.example/go-clients/oapi/generated"
)

func main() {
	baseURL, key := os.Args[1], os.Args[2]
	ctx := context.Background()
	client, err := api.NewClientWithResponses(baseURL, api.WithRequestEditorFn(
		func(_ context.Context, request *http.Request) error {
			request.Header.Set("Authorization", "Bearer "+key)
			return nil
		}))
	check(err)

	limit, since := 2, "2000-01-01"
	params := &api.ListEngagementEventsParams{Limit: &limit, Since: &since}
	var ids []string
	var pages int
	for {
		page, err := client.ListEngagementEventsWithResponse(ctx, params)
		check(err)
		if page.JSON200 == nil {
			log.Fatalf("%d: %s", page.StatusCode(), page.Body)
		}
		pages++
		for _, event := range page.JSON200.Data {
			ids = append(ids, string(event.Id))
		}
		if !page.JSON200.HasMore {
			break
		}
		params.Cursor = &page.JSON200.NextCursor
	}

	unknown, err := client.GetCallWithResponse(ctx, uuid.New(), nil)
	check(err)
	wrong := "none"
	refused, err := client.ListEngagementEventsWithResponse(ctx, &api.ListEngagementEventsParams{Cursor: &wrong})
	check(err)

	var webhook api.OnWebhookEventJSONBody
	check(json.NewDecoder(os.Stdin).Decode(&webhook))
	event, err := webhook.AsEngagementRecordedEvent()
	check(err)

	check(json.NewEncoder(os.Stdout).Encode(map[string]any{
		"ids":     ids,
		"pages":   pages,
		"unknown": []any{unknown.StatusCode(), unknown.JSON404.Code},
		"refused": []any{refused.StatusCode(), refused.JSON400.Code},
		"webhook": []any{event.Type, event.Data.Id},
	}))
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
