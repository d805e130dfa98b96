// Reads the API with the client that ogen generated from its description, and prints the results.
package main

import (
	"context"
	"encoding/json"
	"log"
	"os"

	"github.com/google/uuid"
	"github.com/ogen-go/ogen/ogenerrors"

	api "deal-signals.example/go-clients/ogen/generated"
)

type apiKey string

func (key apiKey) ApiKeyAuth(context.Context, api.OperationName) (api.ApiKeyAuth, error) {
	return api.ApiKeyAuth{Token: string(key)}, nil
}

func (apiKey) AdminSession(context.Context, api.OperationName) (api.AdminSession, error) {
	return api.AdminSession{}, ogenerrors.ErrSkipClientSecurity
}

func main() {
	baseURL, key := os.Args[1], os.Args[2]
	ctx := context.Background()
	client, err := api.NewClient(baseURL, apiKey(key))
	check(err)

	params := api.ListEngagementEventsParams{Limit: api.NewOptInt(2), Since: api.NewOptString("2000-01-01")}
	var ids []string
	var pages int
	for {
		response, err := client.ListEngagementEvents(ctx, params)
		check(err)
		page, ok := response.(*api.ListEngagementEventsOKHeaders)
		if !ok {
			log.Fatalf("%#v", response)
		}
		pages++
		for _, event := range page.Response.Data {
			ids = append(ids, string(event.ID))
		}
		if !page.Response.HasMore {
			break
		}
		params.Cursor = api.NewOptString(page.Response.NextCursor)
	}

	unknown, err := client.GetCall(ctx, api.GetCallParams{ID: uuid.New()})
	check(err)
	wrong := api.ListEngagementEventsParams{Cursor: api.NewOptString("none")}
	refused, err := client.ListEngagementEvents(ctx, wrong)
	check(err)

	check(json.NewEncoder(os.Stdout).Encode(map[string]any{
		"ids":     ids,
		"pages":   pages,
		"unknown": unknown.(*api.NotFoundForKeyHeaders).Response.Code,
		"refused": refused.(*api.InvalidRequestOrInvalidCursorForKeyHeaders).Response.Code,
	}))
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
