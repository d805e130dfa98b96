import os

import dlt
from dlt.sources.helpers.rest_client.paginators import JSONResponseCursorPaginator
from dlt.sources.rest_api import rest_api_source

# The dlt type of each field, from the API's OpenAPI description.
COLUMNS = {
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
    "distributions": {
        "id": "text",
        "buyerSpaceId": "text",
        "recipient": "json",
        "demoId": "text",
        "forwardedFromDistributionId": "text",
        "updatedAt": "timestamp",
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
    "erasures": {
        "id": "text",
        "erasureId": "text",
        "kind": "text",
        "buyerSpaceId": "text",
        "emailSha256": "text",
        "engagementBefore": "bigint",
        "erasedAt": "timestamp",
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
            "base_url": os.environ["DEAL_SIGNALS_URL"].rstrip("/") + "/",  # ends in /api/v1
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
            # The lists of ids become tables of their own, which `erase` joins.
            {**feed("erasures", "erasures"), "max_table_nesting": 1},
        ],
    },
    name="deal_signals",
)

ANONYMOUS = """'{"name":null,"email":null}'"""
VIEW_TEXTS = "demo_title = NULL, buyer_space_name = NULL"
EVENT_TEXTS = "metadata = '{}', " + VIEW_TEXTS
# A row that changed after the erasure is about another person.
BEFORE = "updated_at <= e.erased_at"
# What an erasure changes: the list of ids, the table, its column with such an id, what is written, and a further condition.
ERASED_BY_ID = [
    ("person_ids", "people", "id", "name = NULL, email = NULL, role = NULL, title = NULL", BEFORE),
    ("distribution_ids", "distributions", "id", f"recipient = {ANONYMOUS}", BEFORE),
    ("person_ids", "engagement_events", "person_id", f"actor = {ANONYMOUS}", "TRUE"),
    ("person_ids", "engagement_views", "person_id", f"actor = {ANONYMOUS}", "TRUE"),
    ("engagement_event_ids", "engagement_events", "id", EVENT_TEXTS, "TRUE"),
    ("engagement_view_ids", "engagement_views", "id", VIEW_TEXTS, "TRUE"),
]
ERASED_BY_ROOM = [
    ("engagement_events", f"actor = {ANONYMOUS}, {EVENT_TEXTS}"),
    ("engagement_views", f"actor = {ANONYMOUS}, {VIEW_TEXTS}"),
]


def erase(pipeline):
    """Erases in the rows of all loads what was erased. Rows may be loaded after their erasure, so it runs after each load."""
    with pipeline.destination_client() as destination:
        found = destination.get_storage_tables(pipeline.default_schema.tables)
        # dlt makes a table when it has the first row of it.
        loaded = {name for name, columns in found if columns}
    with pipeline.sql_client() as client:
        for ids, table, column, changes, condition in ERASED_BY_ID:
            if not {f"erasures__{ids}", table} <= loaded:
                continue
            client.execute_sql(
                f"UPDATE {table} SET {changes} WHERE EXISTS (SELECT 1 FROM erasures__{ids} i JOIN erasures e "
                f"ON e._dlt_id = i._dlt_parent_id WHERE i.value = {table}.{column} AND {condition})"
            )
        for table, changes in ERASED_BY_ROOM:
            if not {"erasures", table} <= loaded:
                continue
            client.execute_sql(
                f"UPDATE {table} SET {changes} WHERE EXISTS (SELECT 1 FROM erasures e "
                f"WHERE e.buyer_space_id = {table}.buyer_space_id AND CAST({table}.id AS BIGINT) < e.engagement_before)"
            )


# Otherwise dlt keeps what it has loaded: in files of the pipeline, and in the tables from which it merges.
dlt.config["load.delete_completed_jobs"] = True
dlt.config["load.truncate_staging_dataset"] = True

pipeline = dlt.pipeline("deal_signals_sync", destination="duckdb", dataset_name="deal_signals")
print(pipeline.run(source))
erase(pipeline)
