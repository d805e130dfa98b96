import os

import dlt
from dlt.sources.helpers.rest_client.paginators import JSONResponseCursorPaginator
from dlt.sources.rest_api import rest_api_source

# The dlt type of each field, from the API's OpenAPI description.
COLUMNS = {
    "decision_rooms": {
        "id": "text",
        "name": "text",
        "slug": "text",
        "status": "text",
        "owner": "json",
        "primaryContactEmail": "text",
        "expectedCloseDate": "date",
        "dealValueCents": "bigint",
        "sourceCallId": "text",
        "createdAt": "timestamp",
        "lastActivityAt": "timestamp",
        "lastEngagementAt": "timestamp",
        "closedAt": "timestamp",
    },
    "calls": {
        "id": "text",
        "kind": "text",
        "status": "text",
        "occurredAt": "timestamp",
        "updatedAt": "timestamp",
        "completedAt": "timestamp",
        "owner": "json",
        "participants": "json",
        "hasSummary": "bool",
        "title": "text",
        "prospectName": "text",
        "durationSeconds": "bigint",
        "buyerSpaceId": "text",
        "talkTime": "json",
        "summary": "json",
        "deal": "json",
        "disqualifiedAt": "timestamp",
        "disqualifiedReason": "text",
    },
    "people": {
        "id": "text",
        "buyerSpaceId": "text",
        "email": "text",
        "name": "text",
        "role": "text",
        "title": "text",
        "inCommittee": "bool",
        "removedAt": "timestamp",
        "updatedAt": "timestamp",
    },
    "documents": {
        "id": "text",
        "buyerSpaceId": "text",
        "title": "text",
        "category": "text",
        "uploadedByProspect": "bool",
        "libraryAssetId": "text",
        "updatedAt": "timestamp",
    },
    "esign_documents": {
        "id": "text",
        "buyerSpaceId": "text",
        "vendor": "text",
        "envelopeId": "text",
        "subject": "text",
        "status": "text",
        "recipientCount": "bigint",
        "sentAt": "timestamp",
        "firstViewedAt": "timestamp",
        "lastEventAt": "timestamp",
        "completedAt": "timestamp",
        "declinedAt": "timestamp",
        "updatedAt": "timestamp",
    },
    "distributions": {
        "id": "text",
        "buyerSpaceId": "text",
        "recipient": "json",
        "demoId": "text",
        "forwardedFromDistributionId": "text",
        "updatedAt": "timestamp",
    },
    "engagement_events": {
        "id": "text",
        "type": "text",
        "occurredAt": "timestamp",
        "actor": "json",
        "personId": "text",
        "metadata": "json",
        "demoId": "text",
        "demoTitle": "text",
        "distributionId": "text",
        "forwardedFromDistributionId": "text",
        "buyerSpaceId": "text",
        "buyerSpaceName": "text",
        "owner": "json",
        "docId": "text",
    },
    "engagement_views": {
        "id": "text",
        "kind": "text",
        "startedAt": "timestamp",
        "endedAt": "timestamp",
        "actor": "json",
        "personId": "text",
        "distributionId": "text",
        "forwardedFromDistributionId": "text",
        "demoId": "text",
        "demoTitle": "text",
        "docId": "text",
        "buyerSpaceId": "text",
        "buyerSpaceName": "text",
        "owner": "json",
        "watchSeconds": "bigint",
        "uniqueSeconds": "bigint",
        "durationSeconds": "bigint",
        "completionPercent": "bigint",
        "segments": "json",
    },
}


class FeedPaginator(JSONResponseCursorPaginator):
    def __init__(self):
        super().__init__(cursor_path="nextCursor", cursor_param="cursor", has_more_path="hasMore")

    def init_request(self, request):
        cursor = dlt.current.resource_state().get("cursor")
        if cursor is not None:
            request.params = {**(request.params or {}), "cursor": cursor}

    def update_state(self, response, data=None):
        super().update_state(response, data)
        # Store it when hasMore is false too: the next run begins here.
        dlt.current.resource_state()["cursor"] = response.json()["nextCursor"]


def feed(name, path, sort_key=None):
    columns = {field: {"data_type": data_type} for field, data_type in COLUMNS[name].items()}
    if sort_key is not None:
        # An object that changed during the load is in it twice: keep the newest.
        columns[sort_key]["dedup_sort"] = "desc"
    return {"name": name, "endpoint": {"path": path}, "columns": columns}


source = rest_api_source(
    {
        "client": {
            "base_url": os.environ["DEAL_SIGNALS_URL"] + "/",  # ends in /api/v1
            "auth": {"type": "bearer", "token": os.environ["DEAL_SIGNALS_API_KEY"]},
            "paginator": FeedPaginator(),
        },
        "resource_defaults": {
            "primary_key": "id",
            "write_disposition": "merge",
            "max_table_nesting": 0,
            "endpoint": {"data_selector": "data", "params": {"limit": 500}},
        },
        "resources": [
            feed("decision_rooms", "decision-rooms", sort_key="lastActivityAt"),
            feed("calls", "calls", sort_key="updatedAt"),
            feed("people", "people", sort_key="updatedAt"),
            feed("documents", "documents", sort_key="updatedAt"),
            feed("esign_documents", "esign-documents", sort_key="updatedAt"),
            feed("distributions", "distributions", sort_key="updatedAt"),
            feed("engagement_events", "engagement/events"),
            feed("engagement_views", "engagement/views"),
        ],
    },
    name="deal_signals",
)

pipeline = dlt.pipeline("deal_signals_sync", destination="duckdb", dataset_name="deal_signals")
print(pipeline.run(source))
