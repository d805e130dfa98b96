// Generated from the OpenAPI description of the API by `pnpm generate`. Do not edit.

export interface paths {
    "/status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the status of the key and its workspace
         * @description Returns the key, the workspace it belongs to, the state of the workspace's webhooks, and the rate limit.
         *
         *     Any API key may call it.
         */
        get: operations["getStatus"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/calls": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List calls
         * @description Returns the calls of the workspace, in the order they last changed. A call that changes, for example because its summary is regenerated, is returned again at its new position, so store calls by `id`.
         *
         *     An API key needs the scope `read:calls`.
         */
        get: operations["listCalls"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/calls/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a call
         * @description An API key needs the scope `read:calls`.
         */
        get: operations["getCall"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/engagement/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List engagement events
         * @description Returns what prospects did, in the order it was recorded.
         *
         *     An API key needs the scope `read:engagement`.
         */
        get: operations["listEngagementEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/engagement/views": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List views
         * @description Returns the finished viewing sessions of recordings and documents, in the order they were recorded. A view never changes, except by an erasure.
         *
         *     An API key needs the scope `read:engagement`.
         */
        get: operations["listEngagementViews"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/decision-rooms": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List Decision Rooms
         * @description Returns the rooms of the workspace, in the order of their last activity. A room with new activity is returned again at its new position, so store rooms by `id`.
         *
         *     An API key needs the scope `read:rooms`.
         */
        get: operations["listRooms"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/decision-rooms/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a Decision Room
         * @description An API key needs the scope `read:rooms`.
         */
        get: operations["getRoom"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/decision-rooms/{id}/metrics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the metrics of a Decision Room
         * @description Returns what happened in the room and who did it, aggregated at the time of the request.
         *
         *     An API key needs the scope `read:rooms`.
         */
        get: operations["getRoomMetrics"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/room-scores": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the engagement scores of Decision Rooms
         * @description Returns the score of each room with its terms and totals, computed at the time of the request, in the order of the feed of rooms. A score falls while nothing happens, so read the list from its beginning whenever you need current scores; a stored cursor returns only the rooms with new activity.
         *
         *     An API key needs the scope `read:rooms`.
         */
        get: operations["listRoomScores"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/people": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List people
         * @description Returns the stakeholders of all Decision Rooms, in the order they last changed: the people in the People section of a room, those that share links are addressed to, and those who were active. A person who is in several rooms is returned once for each. A person who changes is returned again at a new position, so store people by `id`. What they did is part of the metrics of a room.
         *
         *     An API key needs the scope `read:rooms`.
         */
        get: operations["listPeople"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/people/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a person
         * @description An API key needs the scope `read:rooms`.
         */
        get: operations["getPerson"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/documents": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List documents
         * @description Returns the documents of all Decision Rooms, in the order they last changed. A document that changes is returned again at its new position, so store documents by `id`. Who read them is part of the metrics of a room.
         *
         *     An API key needs the scope `read:rooms`.
         */
        get: operations["listDocuments"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/documents/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a document
         * @description An API key needs the scope `read:rooms`.
         */
        get: operations["getDocument"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/esign-documents": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List contracts
         * @description Returns the tracked contracts of all Decision Rooms, in the order they last changed. A contract whose status changes is returned again at its new position, so store contracts by `id`.
         *
         *     An API key needs the scope `read:rooms`.
         */
        get: operations["listEsignDocuments"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/esign-documents/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a contract
         * @description An API key needs the scope `read:rooms`.
         */
        get: operations["getEsignDocument"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/distributions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List share links
         * @description Returns the share links of the workspace, in the order they last changed, with the person that each is currently addressed to. A link whose person or recording changes is returned again at its new position, so store links by `id`.
         *
         *     An API key needs the scope `read:engagement`.
         */
        get: operations["listDistributions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/distributions/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a share link
         * @description An API key needs the scope `read:engagement`.
         */
        get: operations["getDistribution"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/distributions/{id}/heatmap": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the heat-map of a share link
         * @description Returns which parts of the recording behind a share link were watched, in at most 200 buckets of equal length; the last one may be shorter. There are no buckets if the link has only documents or if the length of the recording is unknown.
         *
         *     An API key needs the scope `read:engagement`.
         */
        get: operations["getHeatmap"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/erasures": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List erasures
         * @description Returns what was erased in the workspace, in the order in which the erasures finished. A system that keeps copies follows this feed and erases the same data in them: see the guide on erasure. The feed contains no names. Keys with neither of the scopes `read:rooms` and `read:engagement` get null as `emailSha256`.
         *
         *     Any API key may call it.
         */
        get: operations["listErasures"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhook-deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List webhook deliveries
         * @description Returns the delivery log of the workspace. The order is that in which the deliveries were created or, with `order=desc`, the reverse. Each delivery appears once. To follow the log after you have read it newest first, continue in ascending order with the id of the newest delivery as `cursor`. A key with limited scopes needs `read:engagement` for the filter `person`, `read:rooms` for `buyer_space_id`, and `read:calls` for `call_id`.
         *
         *     An API key needs the scope `read:deliveries`.
         */
        get: operations["listDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhook-deliveries/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a delivery of the workspace with its payload and attempts
         * @description Returns the delivery, the payload that every attempt sends, and the outcome of each attempt so far. A key with limited scopes also needs the scope of the object in the payload: `read:engagement` for `engagement.*`, `read:calls` for `call.*`, `read:rooms` for `decision_room.*`, one of `read:rooms` and `read:engagement` for `person.erased`.
         *
         *     An API key needs the scope `read:deliveries`.
         */
        get: operations["getDelivery"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List webhook endpoints
         * @description Returns all endpoints of the workspace, oldest first, and the event types an endpoint can subscribe to. An API key sees those that it registered.
         *
         *     A session with the permission `integrations.crm`, or an API key with the scope `webhooks` may call it.
         */
        get: operations["listWebhooks"];
        put?: never;
        /**
         * Register a webhook endpoint
         * @description Registers a URL to send events to. The signing secret is in this response and is never shown again. An API key can subscribe to what its scopes let it read, and `*` requires `read`. A workspace can have at most 100 endpoints; a further one is rejected with `INVALID_STATE`. Where verification is required, `awaitingVerification` is true, and deliveries wait with `nextAttemptAt` null until a test event (`pingWebhook`) succeeds.
         *
         *     A session with the permission `integrations.crm`, or an API key with the scope `webhooks` may call it.
         */
        post: operations["createWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a webhook endpoint
         * @description A session with the permission `integrations.crm`, or an API key with the scope `webhooks` may call it.
         */
        get: operations["getWebhook"];
        put?: never;
        post?: never;
        /**
         * Remove a webhook endpoint
         * @description Removes the endpoint permanently. Nothing more is sent to it, and its pending deliveries become dead. Its delivery log can still be read.
         *
         *     A session with the permission `integrations.crm`, or an API key with the scope `webhooks` may call it.
         */
        delete: operations["removeWebhook"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks/{id}/ping": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a test event to a webhook endpoint
         * @description Sends an `integration.ping` event immediately, even if the endpoint is disabled or does not subscribe to it, and responds when the outcome is known. If the test fails, the response is still 200: the delivery is then `dead`, and `lastError` contains the reason. A test is not retried and does not count towards disabling the endpoint, except that a 410 disables it. While a test of the endpoint is running, another one is rejected with `INVALID_STATE`. A workspace can send 10 tests a minute. Until the host has responded to a delivery of the workspace once, `lastError` does not reveal how a connection failed.
         *
         *     A session with the permission `integrations.crm`, or an API key with the scope `webhooks` may call it.
         */
        post: operations["pingWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks/{id}/replay-missing": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a webhook endpoint what it missed
         * @description Queues what was recorded or changed since a time and has no delivery to the endpoint, oldest first, with its present subscriptions and filter. Each engagement event, view and erasure is sent once, and each call, room and contract once in its present state: as `call.summary.created` (`call.recorded` without a summary), `decision_room.updated` and `decision_room.esign.updated`. An endpoint that subscribes to `call.recorded` or `decision_room.created` but not to these receives the calls that took place, and the rooms that were created, since then. The id of an event follows from the object and its position in its feed, so repeating the call queues nothing twice, and a receiver that remembers event ids takes each once. The deliveries come after the fresh ones of the workspace. Each call queues up to 10,000. If `hasMore` is true, call again with `nextSince` and the same other fields, even if `count` is 0. The request fails with `INVALID_STATE` if the endpoint was removed, and while it is disabled, because it would miss further events. An API key can call it for endpoints that it registered.
         *
         *     A session with the permission `integrations.crm`, or an API key with the scope `webhooks` may call it.
         */
        post: operations["replayMissingEvents"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface webhooks {
    "engagement.recorded": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A prospect did something
         * @description A POST request to the URL of every enabled endpoint that subscribes to the event type. A delivery succeeds if the endpoint responds with any 2xx within 10 seconds. Otherwise it is retried, up to 8 attempts in total. Operators can change both numbers. A 410 ends the delivery and disables the endpoint. Deliveries can arrive more than once and in any order: use the `id` of the envelope to discard duplicates.
         */
        post: operations["onEngagementRecordedEvent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "call.summary.created": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The summary of a call was generated or regenerated
         * @description A POST request to the URL of every enabled endpoint that subscribes to the event type. A delivery succeeds if the endpoint responds with any 2xx within 10 seconds. Otherwise it is retried, up to 8 attempts in total. Operators can change both numbers. A 410 ends the delivery and disables the endpoint. Deliveries can arrive more than once and in any order: use the `id` of the envelope to discard duplicates.
         */
        post: operations["onCallSummaryCreatedEvent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "decision_room.updated": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A room's status, value, close date or contact changed
         * @description A POST request to the URL of every enabled endpoint that subscribes to the event type. A delivery succeeds if the endpoint responds with any 2xx within 10 seconds. Otherwise it is retried, up to 8 attempts in total. Operators can change both numbers. A 410 ends the delivery and disables the endpoint. Deliveries can arrive more than once and in any order: use the `id` of the envelope to discard duplicates.
         */
        post: operations["onDecisionRoomUpdatedEvent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "decision_room.esign.updated": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The signature status of a tracked contract was set or changed
         * @description A POST request to the URL of every enabled endpoint that subscribes to the event type. A delivery succeeds if the endpoint responds with any 2xx within 10 seconds. Otherwise it is retried, up to 8 attempts in total. Operators can change both numbers. A 410 ends the delivery and disables the endpoint. Deliveries can arrive more than once and in any order: use the `id` of the envelope to discard duplicates.
         */
        post: operations["onDecisionRoomEsignUpdatedEvent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "decision_room.created": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A room was recorded for the first time
         * @description Sent once for a room, with its state at that moment. Changes send `decision_room.updated`. A POST request to the URL of every enabled endpoint that subscribes to the event type. A delivery succeeds if the endpoint responds with any 2xx within 10 seconds. Otherwise it is retried, up to 8 attempts in total. Operators can change both numbers. A 410 ends the delivery and disables the endpoint. Deliveries can arrive more than once and in any order: use the `id` of the envelope to discard duplicates.
         */
        post: operations["onDecisionRoomCreatedEvent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "call.recorded": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A call was recorded for the first time, with any status; its summary may follow
         * @description Sent once for a call, with its state at that moment. A summary that is generated later sends `call.summary.created`. A POST request to the URL of every enabled endpoint that subscribes to the event type. A delivery succeeds if the endpoint responds with any 2xx within 10 seconds. Otherwise it is retried, up to 8 attempts in total. Operators can change both numbers. A 410 ends the delivery and disables the endpoint. Deliveries can arrive more than once and in any order: use the `id` of the envelope to discard duplicates.
         */
        post: operations["onCallRecordedEvent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "engagement.view.recorded": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A viewing session of a recording or a document ended
         * @description Sent once for a view. A view never changes, except by an erasure. A POST request to the URL of every enabled endpoint that subscribes to the event type. A delivery succeeds if the endpoint responds with any 2xx within 10 seconds. Otherwise it is retried, up to 8 attempts in total. Operators can change both numbers. A 410 ends the delivery and disables the endpoint. Deliveries can arrive more than once and in any order: use the `id` of the envelope to discard duplicates.
         */
        post: operations["onEngagementViewRecordedEvent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "person.erased": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A person was erased, in all rooms
         * @description A POST request to the URL of every enabled endpoint that subscribes to the event type. A delivery succeeds if the endpoint responds with any 2xx within 10 seconds. Otherwise it is retried, up to 8 attempts in total. Operators can change both numbers. A 410 ends the delivery and disables the endpoint. Deliveries can arrive more than once and in any order: use the `id` of the envelope to discard duplicates.
         */
        post: operations["onPersonErasedEvent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "room.erased": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * All names of people and quotations in a room were erased
         * @description A POST request to the URL of every enabled endpoint that subscribes to the event type. A delivery succeeds if the endpoint responds with any 2xx within 10 seconds. Otherwise it is retried, up to 8 attempts in total. Operators can change both numbers. A 410 ends the delivery and disables the endpoint. Deliveries can arrive more than once and in any order: use the `id` of the envelope to discard duplicates.
         */
        post: operations["onRoomErasedEvent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "webhook.endpoint.disabled": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Another endpoint of the workspace was disabled automatically
         * @description Sent when we disable an endpoint, because of a 410 or too many failed attempts in a row, and not when an administrator does. The disabled endpoint does not get it. A POST request to the URL of every enabled endpoint that subscribes to the event type. A delivery succeeds if the endpoint responds with any 2xx within 10 seconds. Otherwise it is retried, up to 8 attempts in total. Operators can change both numbers. A 410 ends the delivery and disables the endpoint. Deliveries can arrive more than once and in any order: use the `id` of the envelope to discard duplicates.
         */
        post: operations["onWebhookEndpointDisabledEvent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "integration.ping": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * An administrator requested a test
         * @description A POST request to the URL of one endpoint, even if it is disabled, sent while the administrator waits for the outcome. It appears in the delivery log like any other delivery, but it is not retried.
         */
        post: operations["onIntegrationPingEvent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface components {
    schemas: {
        Status: {
            ok: boolean;
            /** Format: date */
            apiVersion: string;
            company: {
                id: number;
                name: string;
            };
            key: {
                prefix: string;
                name: string;
                scopes: string[];
                createdAt: components["schemas"]["DateTime"];
                lastUsedAt: components["schemas"]["DateTime"] | null;
            };
            webhooks: {
                endpoints: number;
                enabledEndpoints: number;
                /** @description Counted up to 5,000 */
                pendingDeliveries: number;
                /** @description False if there are more than the count, which is then the maximum that is counted */
                pendingDeliveriesExact: boolean;
                /** @description Dead deliveries that have not been dismissed, without test events and those of removed endpoints. Counted up to 5,000 */
                deadDeliveries: number;
                /** @description False if there are more than the count, which is then the maximum that is counted */
                deadDeliveriesExact: boolean;
                lastDeliveredAt: components["schemas"]["DateTime"] | null;
            };
            rateLimit: {
                perMinute: number;
            };
        };
        /**
         * Format: date-time
         * @description ISO 8601, UTC, with milliseconds
         * @example 2026-09-01T12:00:00.000Z
         */
        DateTime: string;
        Call: {
            /** Format: uuid */
            id: string;
            /** @enum {string} */
            kind: "demo" | "qualifying_call" | "meeting";
            /** @enum {string} */
            status: "processing" | "completed" | "failed";
            occurredAt: components["schemas"]["DateTime"];
            /** @description Time of the last change to the call; the sort key of `GET /calls` */
            updatedAt: components["schemas"]["DateTime"];
            completedAt: components["schemas"]["DateTime"] | null;
            owner: components["schemas"]["Owner"];
            participants: components["schemas"]["CallParticipant"][];
            hasSummary: boolean;
            title: string | null;
            prospectName: string | null;
            durationSeconds: number | null;
            buyerSpaceId: string | null;
            talkTime: components["schemas"]["CallTalkTime"] | null;
            summary: components["schemas"]["CallSummary"] | null;
            /** @description Status and value of the Decision Room the call belongs to; null if it has no room */
            deal: {
                /** @enum {string} */
                status: "open" | "won" | "lost" | "dormant";
                valueCents: number | null;
            } | null;
            disqualifiedAt: components["schemas"]["DateTime"] | null;
            disqualifiedReason: string | null;
        };
        Owner: {
            id: number;
            name: string | null;
            email: string | null;
        };
        CallParticipant: {
            /** @default null */
            name: string | null;
            /** @default null */
            email: string | null;
            /** @default null */
            role: string | null;
            /** @default false */
            isHost: boolean;
            /** @default false */
            isInternal: boolean;
            /** @default null */
            talkSeconds: number | null;
            /** @default null */
            talkPercent: number | null;
            /** @default [] */
            sources: string[];
        };
        CallTalkTime: {
            /** @default null */
            source: string | null;
            /** @default null */
            totalSpeakerSeconds: number | null;
        };
        CallSummary: {
            /**
             * @description The kind of summary
             * @default null
             */
            schema: string | null;
            /** @default null */
            headline: string | null;
            /** @default null */
            company: string | null;
            /** @default null */
            timeline: string | null;
            /** @default null */
            budgetSignals: string | null;
            /** @default null */
            verdictReasoning: string | null;
            /** @default null */
            contextForNextCall: string | null;
            /** @default [] */
            participants: string[];
            /** @default [] */
            keyTakeaways: string[];
            /** @default [] */
            decisions: string[];
            /** @default [] */
            actionItems: string[];
            /** @default [] */
            nextSteps: string[];
            /** @default [] */
            openQuestions: string[];
            /** @default [] */
            painPoints: string[];
            /** @default [] */
            currentState: string[];
            /** @default [] */
            desiredOutcomes: string[];
            /** @default [] */
            decisionCriteria: string[];
            /** @default null */
            qualificationVerdict: string | null;
            /** @default [] */
            topics: {
                label: string;
                /** @default null */
                summary: string | null;
                /** @default null */
                startSeconds: number | null;
                /** @default null */
                endSeconds: number | null;
            }[];
        };
        EngagementEvent: {
            id: components["schemas"]["IntegerId"];
            /**
             * @description Open enumeration: new values may appear
             * @example trailer_view
             */
            type: string;
            occurredAt: components["schemas"]["DateTime"];
            actor: components["schemas"]["Actor"];
            /** @description Id of the actor in this room: of `GET /people` and of the stakeholders in the room metrics */
            personId: string | null;
            /** @description Free-form details of the event */
            metadata: {
                [key: string]: unknown;
            };
            demoId: string | null;
            demoTitle: string | null;
            distributionId: string | null;
            /**
             * Format: uuid
             * @description Id of the share link from which this one was forwarded; present only for a forwarded link
             */
            forwardedFromDistributionId?: string;
            /** Format: uuid */
            buyerSpaceId: string;
            /** @description Name of the room when this was recorded */
            buyerSpaceName: string | null;
            /** @description Owner of the room when this was recorded; null if it had none */
            owner: components["schemas"]["Owner"] | null;
            docId: string | null;
        };
        /**
         * @description Integer id, as a string
         * @example 1789030800000000
         */
        IntegerId: string;
        Actor: {
            name: string | null;
            email: string | null;
        };
        EngagementView: {
            id: components["schemas"]["IntegerId"];
            /** @enum {string} */
            kind: "trailer" | "document";
            startedAt: components["schemas"]["DateTime"];
            endedAt: components["schemas"]["DateTime"];
            actor: components["schemas"]["Actor"];
            /** @description Id of the actor in this room: of `GET /people` and of the stakeholders in the room metrics */
            personId: string | null;
            /** Format: uuid */
            distributionId: string;
            forwardedFromDistributionId: string | null;
            demoId: string | null;
            demoTitle: string | null;
            docId: string | null;
            buyerSpaceId: string | null;
            /** @description Name of the room when this was recorded */
            buyerSpaceName: string | null;
            /** @description Owner of the room when this was recorded; null if it had none */
            owner: components["schemas"]["Owner"] | null;
            /** @description Total seconds played or read, including rewatches */
            watchSeconds: number;
            /** @description Distinct seconds of the recording that were played; null for documents */
            uniqueSeconds: number | null;
            /** @description Length of the recording; null for documents, or if unknown */
            durationSeconds: number | null;
            /** @description Percentage of the recording played in this session alone, rounded down */
            completionPercent: number | null;
            /** @description Played ranges in the order they were played, in whole seconds, rounded down; empty for documents */
            segments: {
                startSeconds: number;
                endSeconds: number;
            }[];
        };
        Room: {
            /** Format: uuid */
            id: string;
            /** @description The prospect company's name */
            name: string;
            slug: string | null;
            /** @enum {string} */
            status: "open" | "won" | "lost" | "dormant";
            /** @description Null if the room has no owner */
            owner: components["schemas"]["Owner"] | null;
            primaryContactEmail: string | null;
            expectedCloseDate: string | null;
            /** @description In minor currency units; exact up to 2^53 */
            dealValueCents: number | null;
            sourceCallId: string | null;
            createdAt: components["schemas"]["DateTime"];
            /** @description Time of the last activity in the room; the sort key of `GET /decision-rooms` */
            lastActivityAt: components["schemas"]["DateTime"];
            /** @description When the latest event or view of the room occurred: `totals.lastActivityAt` of its metrics. `lastActivityAt` is the time at which something was last recorded, which after an import is the time of the import */
            lastEngagementAt: components["schemas"]["DateTime"] | null;
            closedAt: components["schemas"]["DateTime"] | null;
        };
        RoomMetrics: {
            room: components["schemas"]["Room"];
            engagementScore: number;
            totals: {
                events: number;
                engagedPeople: number;
                silentPeople: number;
                trailerViews: number;
                /** @description Total seconds played, including rewatches */
                watchSeconds: number;
                bestCompletionPercent: number;
                docsOpened: number;
                lastActivityAt: components["schemas"]["DateTime"] | null;
            };
            stakeholders: components["schemas"]["Stakeholder"][];
            trailers: components["schemas"]["RoomTrailer"][];
            assets: components["schemas"]["RoomAsset"][];
            actionPlan: {
                total: number;
                done: number;
                doneByProspect: number;
                overdue: number;
                lastCompletedAt: components["schemas"]["DateTime"] | null;
            };
            conversation: {
                prospectMessages: number;
                sellerMessages: number;
                lastMessageAt: components["schemas"]["DateTime"] | null;
            };
            esign: {
                status: ("sent" | "delivered" | "viewed" | "signed_partial" | "completed" | "declined" | "voided") | null;
                documents: components["schemas"]["EsignDocument"][];
            };
        };
        Stakeholder: {
            /**
             * Format: uuid
             * @description Id of this person in this room, as in `GET /people`
             */
            personId: string;
            /** @description In lower case; identifies the person within the room */
            email: string | null;
            name: string | null;
            role: string | null;
            title: string | null;
            /** @description Listed in the room's People section */
            inCommittee: boolean;
            /**
             * @description `engaged`: active in the last 30 days; `dormant`: last active before that; `silent`: never active
             * @enum {string}
             */
            status: "engaged" | "dormant" | "silent";
            trailerViews: number;
            trailerCompletes: number;
            watchSeconds: number;
            bestCompletionPercent: number;
            roomVisits: number;
            /** @description Number of times a document was opened */
            docOpens: number;
            /** @description Number of distinct documents opened */
            docsOpened: number;
            mapCheckoffs: number;
            comments: number;
            messages: number;
            forwards: number;
            lastActivityAt: components["schemas"]["DateTime"] | null;
        };
        RoomTrailer: {
            /** Format: uuid */
            id: string;
            title: string | null;
            /** @enum {string} */
            kind: "demo" | "qualifying_call" | "meeting";
            durationSeconds: number | null;
            /** @description Number of distinct people the recording was shared with */
            recipients: number;
            views: number;
            watchSeconds: number;
            bestCompletionPercent: number;
        };
        RoomAsset: {
            /** Format: uuid */
            id: string;
            title: string;
            category: string;
            uploadedByProspect: boolean;
            libraryAssetId: string | null;
            opens: number;
            uniqueViewers: number;
            /** @description Total reading time of all viewers */
            totalSeconds: number;
            lastViewedAt: components["schemas"]["DateTime"] | null;
            /** @description One item for each share link and person, because a link may later be addressed to another person */
            viewers: components["schemas"]["RoomAssetViewer"][];
        };
        RoomAssetViewer: {
            /** Format: uuid */
            distributionId: string;
            email: string | null;
            name: string | null;
            seconds: number;
            sessions: number;
            lastViewedAt: components["schemas"]["DateTime"] | null;
        };
        EsignDocument: {
            id: string;
            /** Format: uuid */
            buyerSpaceId: string;
            vendor: string;
            envelopeId: string;
            subject: string | null;
            /** @enum {string} */
            status: "sent" | "delivered" | "viewed" | "signed_partial" | "completed" | "declined" | "voided";
            recipientCount: number | null;
            sentAt: components["schemas"]["DateTime"] | null;
            firstViewedAt: components["schemas"]["DateTime"] | null;
            lastEventAt: components["schemas"]["DateTime"] | null;
            completedAt: components["schemas"]["DateTime"] | null;
            declinedAt: components["schemas"]["DateTime"] | null;
            /** @description Time of the last change to the contract; the sort key of `GET /esign-documents` */
            updatedAt: components["schemas"]["DateTime"];
        };
        RoomScore: {
            /**
             * Format: uuid
             * @description The id of the room
             */
            id: string;
            /** @description The score at the time of the request: the same as in the metrics of the room, and the sum of its terms */
            engagementScore: number;
            recencyPoints: number;
            breadthPoints: number;
            depthPoints: number;
            totals: {
                events: number;
                engagedPeople: number;
                silentPeople: number;
                trailerViews: number;
                /** @description Total seconds played, including rewatches */
                watchSeconds: number;
                bestCompletionPercent: number;
                docsOpened: number;
                lastActivityAt: components["schemas"]["DateTime"] | null;
            };
            /** @description `lastActivityAt` of the room; the sort key of `GET /room-scores` */
            lastActivityAt: components["schemas"]["DateTime"];
        };
        Person: {
            /**
             * Format: uuid
             * @description Id of this person in this room. A person who is in several rooms has an id in each
             */
            id: string;
            /** Format: uuid */
            buyerSpaceId: string;
            /** @description In lower case; identifies the person within the room */
            email: string | null;
            name: string | null;
            role: string | null;
            title: string | null;
            /** @description Listed in the room's People section */
            inCommittee: boolean;
            /** @description When the person stopped being a stakeholder, because every share link to them was addressed to another person before they did anything; null for stakeholders */
            removedAt: components["schemas"]["DateTime"] | null;
            /** @description Time of the last change to these fields; the sort key of `GET /people` */
            updatedAt: components["schemas"]["DateTime"];
        };
        Document: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            buyerSpaceId: string;
            title: string;
            category: string;
            uploadedByProspect: boolean;
            libraryAssetId: string | null;
            /** @description Time of the last change to the document; the sort key of `GET /documents` */
            updatedAt: components["schemas"]["DateTime"];
        };
        Distribution: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            buyerSpaceId: string;
            recipient: components["schemas"]["Actor"];
            /** @description Id of the call whose recording the link shares; null for a link to documents only */
            demoId: string | null;
            /** @description Id of the share link from which this one was forwarded */
            forwardedFromDistributionId: string | null;
            /** @description Time of the last change to the share link; the sort key of `GET /distributions` */
            updatedAt: components["schemas"]["DateTime"];
        };
        Heatmap: {
            /** Format: uuid */
            distributionId: string;
            demoId: string | null;
            demoTitle: string | null;
            actor: components["schemas"]["Actor"];
            durationSeconds: number | null;
            bucketSeconds: number | null;
            views: number;
            watchSeconds: number;
            bestCompletionPercent: number;
            lastViewedAt: components["schemas"]["DateTime"] | null;
            buckets: components["schemas"]["HeatmapBucket"][];
        };
        HeatmapBucket: {
            startSeconds: number;
            /** @description Exclusive: the bucket ends just before this second */
            endSeconds: number;
            /** @description Number of times that at least half of the bucket was played. Consecutive played ranges count once. */
            plays: number;
            /** @description `plays` minus the number of sessions that played any part of the bucket; at least 0 */
            rewatches: number;
            /** @description `plays` as a percentage of the `plays` of the most played bucket */
            intensity: number;
        };
        Erasure: {
            /** Format: uuid */
            id: string;
            /**
             * Format: uuid
             * @description The erasure that this entry belongs to. An erasure of many people or texts has several entries; the last one, which marks the erasure as done, has the same `id`
             */
            erasureId: string;
            /**
             * @description What was erased
             * @enum {string}
             */
            kind: "person" | "room";
            /** @description The room that was erased; null for a person */
            buyerSpaceId: string | null;
            /** @description SHA-256 of the address of the person in lower case, in hexadecimal digits; null for a room, for a person without an address, and for keys with neither of the scopes `read:rooms` and `read:engagement` */
            emailSha256: string | null;
            /** @description Ids of the people who were erased, one for each of their rooms */
            personIds: string[];
            /** @description Ids of the share links that were addressed to them */
            distributionIds: string[];
            /** @description Ids of engagement events whose `metadata`, `demoTitle` or `buyerSpaceName` named the person; empty for a room */
            engagementEventIds: components["schemas"]["IntegerId"][];
            /** @description Ids of views whose `demoTitle` or `buyerSpaceName` named the person; empty for a room */
            engagementViewIds: components["schemas"]["IntegerId"][];
            /** @description For a room: the actor and all texts of the events and views with a smaller id were erased. Null for a person, and in all entries except the last one */
            engagementBefore: components["schemas"]["IntegerId"] | null;
            /** @description When it was done; the sort key of `GET /erasures` */
            erasedAt: components["schemas"]["DateTime"];
        };
        WebhookDelivery: {
            id: components["schemas"]["IntegerId"];
            endpointId: number;
            /** Format: uuid */
            eventId: string;
            eventType: string;
            /** @description The Decision Room that the event is about; null if there is none */
            buyerSpaceId: string | null;
            /** @description The call or recording that the event is about; null if there is none */
            callId: string | null;
            /** @enum {string} */
            status: "pending" | "delivered" | "dead";
            attempts: number;
            /** @description Null once `status` is `delivered` or `dead`, and while the endpoint is disabled */
            nextAttemptAt: components["schemas"]["DateTime"] | null;
            createdAt: components["schemas"]["DateTime"];
            deliveredAt: components["schemas"]["DateTime"] | null;
            lastStatusCode: number | null;
            lastError: string | null;
            /** @description When an admin dismissed the dead delivery; it is then no longer counted or retried with the others */
            dismissedAt: components["schemas"]["DateTime"] | null;
        };
        WebhookDeliveryDetail: {
            id: components["schemas"]["IntegerId"];
            endpointId: number;
            /** Format: uuid */
            eventId: string;
            eventType: string;
            /** @description The Decision Room that the event is about; null if there is none */
            buyerSpaceId: string | null;
            /** @description The call or recording that the event is about; null if there is none */
            callId: string | null;
            /** @enum {string} */
            status: "pending" | "delivered" | "dead";
            attempts: number;
            /** @description Null once `status` is `delivered` or `dead`, and while the endpoint is disabled */
            nextAttemptAt: components["schemas"]["DateTime"] | null;
            createdAt: components["schemas"]["DateTime"];
            deliveredAt: components["schemas"]["DateTime"] | null;
            lastStatusCode: number | null;
            lastError: string | null;
            /** @description When an admin dismissed the dead delivery; it is then no longer counted or retried with the others */
            dismissedAt: components["schemas"]["DateTime"] | null;
            payload: components["schemas"]["WebhookPayload"];
            /** @description Attempts, oldest first; at most the newest 1,000 */
            attemptLog: components["schemas"]["WebhookAttempt"][];
        };
        /** @description The request body that every attempt sends */
        WebhookPayload: {
            /** Format: uuid */
            id: string;
            type: string;
            /** Format: date */
            apiVersion: string;
            createdAt: components["schemas"]["DateTime"];
            companyId: number;
            /** @description Payload of the event type, as described under Webhooks */
            data: {
                [key: string]: unknown;
            };
        };
        WebhookAttempt: {
            /** @description Counts from 1 over all attempts of the delivery, including those after a manual retry */
            number: number;
            startedAt: components["schemas"]["DateTime"];
            /** @description Time from the DNS lookup to the response headers, or to the failure; null if `error` does not reveal how the connection failed */
            durationMs: number | null;
            /** @description HTTP status of the response; null if there was none */
            statusCode: number | null;
            /** @description Why the attempt failed; null if it succeeded */
            error: string | null;
            /** @description The first KiB of the response body; null if there was no response, or if the endpoint had had custom headers by then, which a response may repeat */
            responseExcerpt: string | null;
            /** @description How long the `Retry-After` of a 429 or 503 asked to wait; null if it did not */
            retryAfterSeconds: number | null;
            /** @description The `traceparent` header that was sent (W3C Trace Context). Its trace id is that of the request that captured the event or, if that had none, the event id without hyphens; null in attempts before it was introduced */
            traceparent: string | null;
        };
        WebhookEndpoint: {
            id: number;
            url: string;
            description: string | null;
            /** @description Event type names, or `*` for all */
            events: string[];
            /** @description Which of these events are sent, by their `data`; null for all. The guide on deliveries lists the operators */
            filter: {
                [key: string]: unknown;
            } | null;
            enabled: boolean;
            disabledReason: string | null;
            createdAt: components["schemas"]["DateTime"];
            lastSuccessAt: components["schemas"]["DateTime"] | null;
            lastErrorAt: components["schemas"]["DateTime"] | null;
            lastError: string | null;
            consecutiveFailures: number;
            /** @description True while only test events are sent to the endpoint, because no test event has succeeded at its host yet; only where verification is required */
            awaitingVerification: boolean;
            /** @description The names of the custom headers of every request. Their values are never shown */
            headerNames: string[];
            /** @description Maximum number of deliveries that start in any minute; null for no such limit */
            maxPerMinute: number | null;
            /** @description Whether the next attempt after a 429 or 503 waits as long as its `Retry-After` asks, if that is later than the schedule says; at most two hours later */
            honorRetryAfter: boolean;
            /** @description Until when events are also signed with the secret before the last rotation, which may be in the past; null if that rotation had no overlap */
            previousSecretExpiresAt: components["schemas"]["DateTime"] | null;
            /** @description The API key that registered the endpoint, or the first one if that key had replaced others; null if an administrator did */
            apiKeyId: number | null;
        };
        EngagementRecordedEvent: {
            /**
             * Format: uuid
             * @description Id of the event. It is the same for every endpoint and every retry, so use it to discard duplicates
             */
            id: string;
            /** @constant */
            type: "engagement.recorded";
            /**
             * Format: date
             * @description Date of the contract; informational
             */
            apiVersion: string;
            /** @description When the event was created, not when this attempt was sent */
            createdAt: components["schemas"]["DateTime"];
            /** @description Id of the workspace, as `company.id` in the status response */
            companyId: number;
            data: components["schemas"]["EngagementEvent"];
        };
        CallSummaryCreatedEvent: {
            /**
             * Format: uuid
             * @description Id of the event. It is the same for every endpoint and every retry, so use it to discard duplicates
             */
            id: string;
            /** @constant */
            type: "call.summary.created";
            /**
             * Format: date
             * @description Date of the contract; informational
             */
            apiVersion: string;
            /** @description When the event was created, not when this attempt was sent */
            createdAt: components["schemas"]["DateTime"];
            /** @description Id of the workspace, as `company.id` in the status response */
            companyId: number;
            data: components["schemas"]["Call"];
        };
        DecisionRoomUpdatedEvent: {
            /**
             * Format: uuid
             * @description Id of the event. It is the same for every endpoint and every retry, so use it to discard duplicates
             */
            id: string;
            /** @constant */
            type: "decision_room.updated";
            /**
             * Format: date
             * @description Date of the contract; informational
             */
            apiVersion: string;
            /** @description When the event was created, not when this attempt was sent */
            createdAt: components["schemas"]["DateTime"];
            /** @description Id of the workspace, as `company.id` in the status response */
            companyId: number;
            data: components["schemas"]["Room"];
        };
        DecisionRoomEsignUpdatedEvent: {
            /**
             * Format: uuid
             * @description Id of the event. It is the same for every endpoint and every retry, so use it to discard duplicates
             */
            id: string;
            /** @constant */
            type: "decision_room.esign.updated";
            /**
             * Format: date
             * @description Date of the contract; informational
             */
            apiVersion: string;
            /** @description When the event was created, not when this attempt was sent */
            createdAt: components["schemas"]["DateTime"];
            /** @description Id of the workspace, as `company.id` in the status response */
            companyId: number;
            data: {
                /** Format: uuid */
                buyerSpaceId: string;
                document: components["schemas"]["EsignDocument"];
            };
        };
        DecisionRoomCreatedEvent: {
            /**
             * Format: uuid
             * @description Id of the event. It is the same for every endpoint and every retry, so use it to discard duplicates
             */
            id: string;
            /** @constant */
            type: "decision_room.created";
            /**
             * Format: date
             * @description Date of the contract; informational
             */
            apiVersion: string;
            /** @description When the event was created, not when this attempt was sent */
            createdAt: components["schemas"]["DateTime"];
            /** @description Id of the workspace, as `company.id` in the status response */
            companyId: number;
            data: components["schemas"]["Room"];
        };
        CallRecordedEvent: {
            /**
             * Format: uuid
             * @description Id of the event. It is the same for every endpoint and every retry, so use it to discard duplicates
             */
            id: string;
            /** @constant */
            type: "call.recorded";
            /**
             * Format: date
             * @description Date of the contract; informational
             */
            apiVersion: string;
            /** @description When the event was created, not when this attempt was sent */
            createdAt: components["schemas"]["DateTime"];
            /** @description Id of the workspace, as `company.id` in the status response */
            companyId: number;
            data: components["schemas"]["Call"];
        };
        EngagementViewRecordedEvent: {
            /**
             * Format: uuid
             * @description Id of the event. It is the same for every endpoint and every retry, so use it to discard duplicates
             */
            id: string;
            /** @constant */
            type: "engagement.view.recorded";
            /**
             * Format: date
             * @description Date of the contract; informational
             */
            apiVersion: string;
            /** @description When the event was created, not when this attempt was sent */
            createdAt: components["schemas"]["DateTime"];
            /** @description Id of the workspace, as `company.id` in the status response */
            companyId: number;
            data: components["schemas"]["EngagementView"];
        };
        PersonErasedEvent: {
            /**
             * Format: uuid
             * @description Id of the event. It is the same for every endpoint and every retry, so use it to discard duplicates
             */
            id: string;
            /** @constant */
            type: "person.erased";
            /**
             * Format: date
             * @description Date of the contract; informational
             */
            apiVersion: string;
            /** @description When the event was created, not when this attempt was sent */
            createdAt: components["schemas"]["DateTime"];
            /** @description Id of the workspace, as `company.id` in the status response */
            companyId: number;
            data: components["schemas"]["Erasure"];
        };
        RoomErasedEvent: {
            /**
             * Format: uuid
             * @description Id of the event. It is the same for every endpoint and every retry, so use it to discard duplicates
             */
            id: string;
            /** @constant */
            type: "room.erased";
            /**
             * Format: date
             * @description Date of the contract; informational
             */
            apiVersion: string;
            /** @description When the event was created, not when this attempt was sent */
            createdAt: components["schemas"]["DateTime"];
            /** @description Id of the workspace, as `company.id` in the status response */
            companyId: number;
            data: components["schemas"]["Erasure"];
        };
        WebhookEndpointDisabledEvent: {
            /**
             * Format: uuid
             * @description Id of the event. It is the same for every endpoint and every retry, so use it to discard duplicates
             */
            id: string;
            /** @constant */
            type: "webhook.endpoint.disabled";
            /**
             * Format: date
             * @description Date of the contract; informational
             */
            apiVersion: string;
            /** @description When the event was created, not when this attempt was sent */
            createdAt: components["schemas"]["DateTime"];
            /** @description Id of the workspace, as `company.id` in the status response */
            companyId: number;
            data: {
                endpointId: number;
                /** @description Host and port of its URL. The rest of the URL may be a secret of that receiver */
                host: string;
                /**
                 * @description Open enumeration: new values may appear. `failures`: too many failed attempts in a row. `gone`: the receiver responded with 410
                 * @example failures
                 */
                reason: string;
                /** @description The reason as a text, as the endpoint returns it */
                disabledReason: string;
                disabledAt: components["schemas"]["DateTime"];
                consecutiveFailures: number;
            };
        };
        IntegrationPingEvent: {
            /**
             * Format: uuid
             * @description Id of the event. It is the same for every endpoint and every retry, so use it to discard duplicates
             */
            id: string;
            /** @constant */
            type: "integration.ping";
            /**
             * Format: date
             * @description Date of the contract; informational
             */
            apiVersion: string;
            /** @description When the event was created, not when this attempt was sent */
            createdAt: components["schemas"]["DateTime"];
            /** @description Id of the workspace, as `company.id` in the status response */
            companyId: number;
            data: {
                endpointId: number;
                message: string;
            };
        };
    };
    responses: {
        /** @description The content is unchanged: it matches the `ETag` in `If-None-Match` */
        NotModifiedForKey: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Window": components["headers"]["X-RateLimit-Window"];
                "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                ETag: components["headers"]["ETag"];
                [name: string]: unknown;
            };
            content?: never;
        };
        /** @description `API_KEY_INVALID`: The API key is missing, malformed, unknown, revoked or expired. */
        ApiKeyInvalidForKey: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Window": components["headers"]["X-RateLimit-Window"];
                "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    /** @description Human-readable message; its wording may change */
                    error: string;
                    /**
                     * @description Machine-readable error code; stable
                     * @enum {string}
                     */
                    code: "API_KEY_INVALID";
                };
            };
        };
        /**
         * @description `PERMISSION_DENIED`: The session lacks the permission `integrations.crm`; or the API key lacks the scope of the operation, or must not be used from this network.
         *
         *     `FEATURE_NOT_ENABLED`: The API is not enabled for the workspace.
         */
        PermissionDeniedOrFeatureNotEnabledForKey: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Window": components["headers"]["X-RateLimit-Window"];
                "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                /**
                 * @description Number of requests that the key has left in the current window.
                 * @example 299
                 */
                "X-RateLimit-Remaining"?: number;
                /**
                 * @description Seconds until the current window of the key ends, rounded up.
                 * @example 42
                 */
                "X-RateLimit-Reset"?: number;
                /**
                 * @description The limits that the request was counted for, as a list of structured fields (draft-ietf-httpapi-ratelimit-headers). Each has its name (`key`, `user` or `workspace`), the number of requests `q` that may be made in a window, and the length `w` of a window in seconds.
                 * @example "key";q=300;w=60
                 */
                "RateLimit-Policy"?: string;
                /**
                 * @description What is left of those limits: under the same names, the number of requests `r` that are left in the current window, and the seconds `t` until it ends, rounded up.
                 * @example "key";r=299;t=42
                 */
                RateLimit?: string;
                /**
                 * @description The authentication scheme that is required and, if a credential was sent, an `error` of RFC 6750: `invalid_token`, or `insufficient_scope` with the scopes that are needed.
                 * @example Bearer error="invalid_token"
                 */
                "WWW-Authenticate"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    /** @description Human-readable message; its wording may change */
                    error: string;
                    /**
                     * @description Machine-readable error code; stable
                     * @enum {string}
                     */
                    code: "PERMISSION_DENIED" | "FEATURE_NOT_ENABLED";
                };
            };
        };
        /** @description `RATE_LIMITED`: The key, the user or the workspace has exceeded a limit, or too many of their requests are in progress. Wait for the number of seconds in `Retry-After`. */
        RateLimitedForKey: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Window": components["headers"]["X-RateLimit-Window"];
                "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                "Retry-After": components["headers"]["Retry-After"];
                /**
                 * @description Number of requests that the key has left in the current window.
                 * @example 299
                 */
                "X-RateLimit-Remaining"?: number;
                /**
                 * @description Seconds until the current window of the key ends, rounded up.
                 * @example 42
                 */
                "X-RateLimit-Reset"?: number;
                /**
                 * @description The limits that the request was counted for, as a list of structured fields (draft-ietf-httpapi-ratelimit-headers). Each has its name (`key`, `user` or `workspace`), the number of requests `q` that may be made in a window, and the length `w` of a window in seconds.
                 * @example "key";q=300;w=60
                 */
                "RateLimit-Policy"?: string;
                /**
                 * @description What is left of those limits: under the same names, the number of requests `r` that are left in the current window, and the seconds `t` until it ends, rounded up.
                 * @example "key";r=299;t=42
                 */
                RateLimit?: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    /** @description Human-readable message; its wording may change */
                    error: string;
                    /**
                     * @description Machine-readable error code; stable
                     * @enum {string}
                     */
                    code: "RATE_LIMITED";
                };
            };
        };
        /** @description `INTERNAL_ERROR`: An error on our side. The request id identifies it in our logs. */
        InternalErrorForKey: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Window": components["headers"]["X-RateLimit-Window"];
                "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                /**
                 * @description Number of requests that the key has left in the current window.
                 * @example 299
                 */
                "X-RateLimit-Remaining"?: number;
                /**
                 * @description Seconds until the current window of the key ends, rounded up.
                 * @example 42
                 */
                "X-RateLimit-Reset"?: number;
                /**
                 * @description The limits that the request was counted for, as a list of structured fields (draft-ietf-httpapi-ratelimit-headers). Each has its name (`key`, `user` or `workspace`), the number of requests `q` that may be made in a window, and the length `w` of a window in seconds.
                 * @example "key";q=300;w=60
                 */
                "RateLimit-Policy"?: string;
                /**
                 * @description What is left of those limits: under the same names, the number of requests `r` that are left in the current window, and the seconds `t` until it ends, rounded up.
                 * @example "key";r=299;t=42
                 */
                RateLimit?: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    /** @description Human-readable message; its wording may change */
                    error: string;
                    /**
                     * @description Machine-readable error code; stable
                     * @enum {string}
                     */
                    code: "INTERNAL_ERROR";
                };
            };
        };
        /** @description `SERVICE_UNAVAILABLE`: The database is temporarily unavailable, or the process that handles the request is starting or shutting down. */
        ServiceUnavailableForKey: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Window": components["headers"]["X-RateLimit-Window"];
                "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                "Retry-After": components["headers"]["Retry-After"];
                /**
                 * @description Number of requests that the key has left in the current window.
                 * @example 299
                 */
                "X-RateLimit-Remaining"?: number;
                /**
                 * @description Seconds until the current window of the key ends, rounded up.
                 * @example 42
                 */
                "X-RateLimit-Reset"?: number;
                /**
                 * @description The limits that the request was counted for, as a list of structured fields (draft-ietf-httpapi-ratelimit-headers). Each has its name (`key`, `user` or `workspace`), the number of requests `q` that may be made in a window, and the length `w` of a window in seconds.
                 * @example "key";q=300;w=60
                 */
                "RateLimit-Policy"?: string;
                /**
                 * @description What is left of those limits: under the same names, the number of requests `r` that are left in the current window, and the seconds `t` until it ends, rounded up.
                 * @example "key";r=299;t=42
                 */
                RateLimit?: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    /** @description Human-readable message; its wording may change */
                    error: string;
                    /**
                     * @description Machine-readable error code; stable
                     * @enum {string}
                     */
                    code: "SERVICE_UNAVAILABLE";
                };
            };
        };
        /**
         * @description `INVALID_REQUEST`: A parameter or a field of the body is invalid. `field` and the message name it, and the message says what is allowed.
         *
         *     `INVALID_CURSOR`: The cursor was not issued by this endpoint.
         */
        InvalidRequestOrInvalidCursorForKey: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Window": components["headers"]["X-RateLimit-Window"];
                "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    /** @description Human-readable message; its wording may change */
                    error: string;
                    /**
                     * @description Machine-readable error code; stable
                     * @enum {string}
                     */
                    code: "INVALID_REQUEST" | "INVALID_CURSOR";
                    /** @description The one input that the error is about: a query parameter, or the path of a property of the body, such as `headers.X-Tenant` */
                    field?: string;
                };
            };
        };
        /** @description `NOT_FOUND`: The id is unknown or malformed, or belongs to another workspace. The response is the same in all three cases. */
        NotFoundForKey: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Window": components["headers"]["X-RateLimit-Window"];
                "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                /**
                 * @description Number of requests that the key has left in the current window.
                 * @example 299
                 */
                "X-RateLimit-Remaining"?: number;
                /**
                 * @description Seconds until the current window of the key ends, rounded up.
                 * @example 42
                 */
                "X-RateLimit-Reset"?: number;
                /**
                 * @description The limits that the request was counted for, as a list of structured fields (draft-ietf-httpapi-ratelimit-headers). Each has its name (`key`, `user` or `workspace`), the number of requests `q` that may be made in a window, and the length `w` of a window in seconds.
                 * @example "key";q=300;w=60
                 */
                "RateLimit-Policy"?: string;
                /**
                 * @description What is left of those limits: under the same names, the number of requests `r` that are left in the current window, and the seconds `t` until it ends, rounded up.
                 * @example "key";r=299;t=42
                 */
                RateLimit?: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    /** @description Human-readable message; its wording may change */
                    error: string;
                    /**
                     * @description Machine-readable error code; stable
                     * @enum {string}
                     */
                    code: "NOT_FOUND";
                };
            };
        };
        /** @description The content is unchanged: it matches the `ETag` in `If-None-Match` */
        NotModifiedForSession: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Window": components["headers"]["X-RateLimit-Window"];
                "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                ETag: components["headers"]["ETag"];
                [name: string]: unknown;
            };
            content?: never;
        };
        /**
         * @description `INVALID_REQUEST`: A parameter or a field of the body is invalid. `field` and the message name it, and the message says what is allowed.
         *
         *     `INVALID_CURSOR`: The cursor was not issued by this endpoint.
         */
        InvalidRequestOrInvalidCursorForSession: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Window": components["headers"]["X-RateLimit-Window"];
                "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    /** @description Human-readable message; its wording may change */
                    error: string;
                    /**
                     * @description Machine-readable error code; stable
                     * @enum {string}
                     */
                    code: "INVALID_REQUEST" | "INVALID_CURSOR";
                    /** @description The one input that the error is about: a query parameter, or the path of a property of the body, such as `headers.X-Tenant` */
                    field?: string;
                };
            };
        };
        /** @description `SESSION_INVALID`: The session token is missing, malformed, wrongly signed, expired or not yet valid. */
        SessionInvalidForSession: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Window": components["headers"]["X-RateLimit-Window"];
                "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    /** @description Human-readable message; its wording may change */
                    error: string;
                    /**
                     * @description Machine-readable error code; stable
                     * @enum {string}
                     */
                    code: "SESSION_INVALID";
                };
            };
        };
        /**
         * @description `PERMISSION_DENIED`: The session lacks the permission `integrations.crm`; or the API key lacks the scope of the operation, or must not be used from this network.
         *
         *     `FEATURE_NOT_ENABLED`: The API is not enabled for the workspace.
         */
        PermissionDeniedOrFeatureNotEnabledForSession: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Window": components["headers"]["X-RateLimit-Window"];
                "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    /** @description Human-readable message; its wording may change */
                    error: string;
                    /**
                     * @description Machine-readable error code; stable
                     * @enum {string}
                     */
                    code: "PERMISSION_DENIED" | "FEATURE_NOT_ENABLED";
                };
            };
        };
        /** @description `RATE_LIMITED`: The key, the user or the workspace has exceeded a limit, or too many of their requests are in progress. Wait for the number of seconds in `Retry-After`. */
        RateLimitedForSession: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Window": components["headers"]["X-RateLimit-Window"];
                "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                "Retry-After": components["headers"]["Retry-After"];
                /**
                 * @description The limits that the request was counted for, as a list of structured fields (draft-ietf-httpapi-ratelimit-headers). Each has its name (`key`, `user` or `workspace`), the number of requests `q` that may be made in a window, and the length `w` of a window in seconds.
                 * @example "key";q=300;w=60
                 */
                "RateLimit-Policy"?: string;
                /**
                 * @description What is left of those limits: under the same names, the number of requests `r` that are left in the current window, and the seconds `t` until it ends, rounded up.
                 * @example "key";r=299;t=42
                 */
                RateLimit?: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    /** @description Human-readable message; its wording may change */
                    error: string;
                    /**
                     * @description Machine-readable error code; stable
                     * @enum {string}
                     */
                    code: "RATE_LIMITED";
                };
            };
        };
        /** @description `INTERNAL_ERROR`: An error on our side. The request id identifies it in our logs. */
        InternalErrorForSession: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Window": components["headers"]["X-RateLimit-Window"];
                "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                /**
                 * @description The limits that the request was counted for, as a list of structured fields (draft-ietf-httpapi-ratelimit-headers). Each has its name (`key`, `user` or `workspace`), the number of requests `q` that may be made in a window, and the length `w` of a window in seconds.
                 * @example "key";q=300;w=60
                 */
                "RateLimit-Policy"?: string;
                /**
                 * @description What is left of those limits: under the same names, the number of requests `r` that are left in the current window, and the seconds `t` until it ends, rounded up.
                 * @example "key";r=299;t=42
                 */
                RateLimit?: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    /** @description Human-readable message; its wording may change */
                    error: string;
                    /**
                     * @description Machine-readable error code; stable
                     * @enum {string}
                     */
                    code: "INTERNAL_ERROR";
                };
            };
        };
        /** @description `SERVICE_UNAVAILABLE`: The database is temporarily unavailable, or the process that handles the request is starting or shutting down. */
        ServiceUnavailableForSession: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Window": components["headers"]["X-RateLimit-Window"];
                "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                "Retry-After": components["headers"]["Retry-After"];
                /**
                 * @description The limits that the request was counted for, as a list of structured fields (draft-ietf-httpapi-ratelimit-headers). Each has its name (`key`, `user` or `workspace`), the number of requests `q` that may be made in a window, and the length `w` of a window in seconds.
                 * @example "key";q=300;w=60
                 */
                "RateLimit-Policy"?: string;
                /**
                 * @description What is left of those limits: under the same names, the number of requests `r` that are left in the current window, and the seconds `t` until it ends, rounded up.
                 * @example "key";r=299;t=42
                 */
                RateLimit?: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    /** @description Human-readable message; its wording may change */
                    error: string;
                    /**
                     * @description Machine-readable error code; stable
                     * @enum {string}
                     */
                    code: "SERVICE_UNAVAILABLE";
                };
            };
        };
        /** @description `INVALID_REQUEST`: A parameter or a field of the body is invalid. `field` and the message name it, and the message says what is allowed. */
        InvalidRequestForSession: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Window": components["headers"]["X-RateLimit-Window"];
                "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    /** @description Human-readable message; its wording may change */
                    error: string;
                    /**
                     * @description Machine-readable error code; stable
                     * @enum {string}
                     */
                    code: "INVALID_REQUEST";
                    /** @description The one input that the error is about: a query parameter, or the path of a property of the body, such as `headers.X-Tenant` */
                    field?: string;
                };
            };
        };
        /** @description `INVALID_STATE`: The current state of the object does not allow the operation, or the workspace has the maximum number of such objects. */
        InvalidStateForSession: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Window": components["headers"]["X-RateLimit-Window"];
                "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    /** @description Human-readable message; its wording may change */
                    error: string;
                    /**
                     * @description Machine-readable error code; stable
                     * @enum {string}
                     */
                    code: "INVALID_STATE";
                };
            };
        };
        /** @description `PAYLOAD_TOO_LARGE`: The body is larger than 100 KiB. */
        PayloadTooLargeForSession: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Window": components["headers"]["X-RateLimit-Window"];
                "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    /** @description Human-readable message; its wording may change */
                    error: string;
                    /**
                     * @description Machine-readable error code; stable
                     * @enum {string}
                     */
                    code: "PAYLOAD_TOO_LARGE";
                };
            };
        };
        /** @description `NOT_FOUND`: The id is unknown or malformed, or belongs to another workspace. The response is the same in all three cases. */
        NotFoundForSession: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Window": components["headers"]["X-RateLimit-Window"];
                "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                /**
                 * @description The limits that the request was counted for, as a list of structured fields (draft-ietf-httpapi-ratelimit-headers). Each has its name (`key`, `user` or `workspace`), the number of requests `q` that may be made in a window, and the length `w` of a window in seconds.
                 * @example "key";q=300;w=60
                 */
                "RateLimit-Policy"?: string;
                /**
                 * @description What is left of those limits: under the same names, the number of requests `r` that are left in the current window, and the seconds `t` until it ends, rounded up.
                 * @example "key";r=299;t=42
                 */
                RateLimit?: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    /** @description Human-readable message; its wording may change */
                    error: string;
                    /**
                     * @description Machine-readable error code; stable
                     * @enum {string}
                     */
                    code: "NOT_FOUND";
                };
            };
        };
        /** @description The content is unchanged: it matches the `ETag` in `If-None-Match` */
        NotModifiedForSessionOrKey: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Window": components["headers"]["X-RateLimit-Window"];
                "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                ETag: components["headers"]["ETag"];
                [name: string]: unknown;
            };
            content?: never;
        };
        /**
         * @description `SESSION_INVALID`: The session token is missing, malformed, wrongly signed, expired or not yet valid.
         *
         *     `API_KEY_INVALID`: The API key is missing, malformed, unknown, revoked or expired.
         */
        SessionInvalidOrApiKeyInvalidForSessionOrKey: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Window": components["headers"]["X-RateLimit-Window"];
                "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    /** @description Human-readable message; its wording may change */
                    error: string;
                    /**
                     * @description Machine-readable error code; stable
                     * @enum {string}
                     */
                    code: "SESSION_INVALID" | "API_KEY_INVALID";
                };
            };
        };
        /**
         * @description `PERMISSION_DENIED`: The session lacks the permission `integrations.crm`; or the API key lacks the scope of the operation, or must not be used from this network.
         *
         *     `FEATURE_NOT_ENABLED`: The API is not enabled for the workspace.
         */
        PermissionDeniedOrFeatureNotEnabledForSessionOrKey: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Window": components["headers"]["X-RateLimit-Window"];
                "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                /**
                 * @description The limits that the request was counted for, as a list of structured fields (draft-ietf-httpapi-ratelimit-headers). Each has its name (`key`, `user` or `workspace`), the number of requests `q` that may be made in a window, and the length `w` of a window in seconds.
                 * @example "key";q=300;w=60
                 */
                "RateLimit-Policy"?: string;
                /**
                 * @description What is left of those limits: under the same names, the number of requests `r` that are left in the current window, and the seconds `t` until it ends, rounded up.
                 * @example "key";r=299;t=42
                 */
                RateLimit?: string;
                /**
                 * @description The authentication scheme that is required and, if a credential was sent, an `error` of RFC 6750: `invalid_token`, or `insufficient_scope` with the scopes that are needed.
                 * @example Bearer error="invalid_token"
                 */
                "WWW-Authenticate"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    /** @description Human-readable message; its wording may change */
                    error: string;
                    /**
                     * @description Machine-readable error code; stable
                     * @enum {string}
                     */
                    code: "PERMISSION_DENIED" | "FEATURE_NOT_ENABLED";
                };
            };
        };
        /** @description `RATE_LIMITED`: The key, the user or the workspace has exceeded a limit, or too many of their requests are in progress. Wait for the number of seconds in `Retry-After`. */
        RateLimitedForSessionOrKey: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Window": components["headers"]["X-RateLimit-Window"];
                "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                "Retry-After": components["headers"]["Retry-After"];
                /**
                 * @description The limits that the request was counted for, as a list of structured fields (draft-ietf-httpapi-ratelimit-headers). Each has its name (`key`, `user` or `workspace`), the number of requests `q` that may be made in a window, and the length `w` of a window in seconds.
                 * @example "key";q=300;w=60
                 */
                "RateLimit-Policy"?: string;
                /**
                 * @description What is left of those limits: under the same names, the number of requests `r` that are left in the current window, and the seconds `t` until it ends, rounded up.
                 * @example "key";r=299;t=42
                 */
                RateLimit?: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    /** @description Human-readable message; its wording may change */
                    error: string;
                    /**
                     * @description Machine-readable error code; stable
                     * @enum {string}
                     */
                    code: "RATE_LIMITED";
                };
            };
        };
        /** @description `INTERNAL_ERROR`: An error on our side. The request id identifies it in our logs. */
        InternalErrorForSessionOrKey: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Window": components["headers"]["X-RateLimit-Window"];
                "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                /**
                 * @description The limits that the request was counted for, as a list of structured fields (draft-ietf-httpapi-ratelimit-headers). Each has its name (`key`, `user` or `workspace`), the number of requests `q` that may be made in a window, and the length `w` of a window in seconds.
                 * @example "key";q=300;w=60
                 */
                "RateLimit-Policy"?: string;
                /**
                 * @description What is left of those limits: under the same names, the number of requests `r` that are left in the current window, and the seconds `t` until it ends, rounded up.
                 * @example "key";r=299;t=42
                 */
                RateLimit?: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    /** @description Human-readable message; its wording may change */
                    error: string;
                    /**
                     * @description Machine-readable error code; stable
                     * @enum {string}
                     */
                    code: "INTERNAL_ERROR";
                };
            };
        };
        /** @description `SERVICE_UNAVAILABLE`: The database is temporarily unavailable, or the process that handles the request is starting or shutting down. */
        ServiceUnavailableForSessionOrKey: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Window": components["headers"]["X-RateLimit-Window"];
                "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                "Retry-After": components["headers"]["Retry-After"];
                /**
                 * @description The limits that the request was counted for, as a list of structured fields (draft-ietf-httpapi-ratelimit-headers). Each has its name (`key`, `user` or `workspace`), the number of requests `q` that may be made in a window, and the length `w` of a window in seconds.
                 * @example "key";q=300;w=60
                 */
                "RateLimit-Policy"?: string;
                /**
                 * @description What is left of those limits: under the same names, the number of requests `r` that are left in the current window, and the seconds `t` until it ends, rounded up.
                 * @example "key";r=299;t=42
                 */
                RateLimit?: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    /** @description Human-readable message; its wording may change */
                    error: string;
                    /**
                     * @description Machine-readable error code; stable
                     * @enum {string}
                     */
                    code: "SERVICE_UNAVAILABLE";
                };
            };
        };
        /** @description `INVALID_REQUEST`: A parameter or a field of the body is invalid. `field` and the message name it, and the message says what is allowed. */
        InvalidRequestForSessionOrKey: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Window": components["headers"]["X-RateLimit-Window"];
                "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    /** @description Human-readable message; its wording may change */
                    error: string;
                    /**
                     * @description Machine-readable error code; stable
                     * @enum {string}
                     */
                    code: "INVALID_REQUEST";
                    /** @description The one input that the error is about: a query parameter, or the path of a property of the body, such as `headers.X-Tenant` */
                    field?: string;
                };
            };
        };
        /** @description `INVALID_STATE`: The current state of the object does not allow the operation, or the workspace has the maximum number of such objects. */
        InvalidStateForSessionOrKey: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Window": components["headers"]["X-RateLimit-Window"];
                "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    /** @description Human-readable message; its wording may change */
                    error: string;
                    /**
                     * @description Machine-readable error code; stable
                     * @enum {string}
                     */
                    code: "INVALID_STATE";
                };
            };
        };
        /** @description `PAYLOAD_TOO_LARGE`: The body is larger than 100 KiB. */
        PayloadTooLargeForSessionOrKey: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Window": components["headers"]["X-RateLimit-Window"];
                "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    /** @description Human-readable message; its wording may change */
                    error: string;
                    /**
                     * @description Machine-readable error code; stable
                     * @enum {string}
                     */
                    code: "PAYLOAD_TOO_LARGE";
                };
            };
        };
        /** @description `NOT_FOUND`: The id is unknown or malformed, or belongs to another workspace. The response is the same in all three cases. */
        NotFoundForSessionOrKey: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Window": components["headers"]["X-RateLimit-Window"];
                "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                /**
                 * @description The limits that the request was counted for, as a list of structured fields (draft-ietf-httpapi-ratelimit-headers). Each has its name (`key`, `user` or `workspace`), the number of requests `q` that may be made in a window, and the length `w` of a window in seconds.
                 * @example "key";q=300;w=60
                 */
                "RateLimit-Policy"?: string;
                /**
                 * @description What is left of those limits: under the same names, the number of requests `r` that are left in the current window, and the seconds `t` until it ends, rounded up.
                 * @example "key";r=299;t=42
                 */
                RateLimit?: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    /** @description Human-readable message; its wording may change */
                    error: string;
                    /**
                     * @description Machine-readable error code; stable
                     * @enum {string}
                     */
                    code: "NOT_FOUND";
                };
            };
        };
    };
    parameters: never;
    requestBodies: never;
    headers: {
        /**
         * @description Identifies the request in our logs. You can choose it by sending the header yourself, with up to 128 letters, digits, dots, underscores and hyphens.
         * @example 0b0c2b1e-5d0c-4a3f-9a52-6b4f3d0e9c11
         */
        "X-Request-Id": string;
        /**
         * @description Number of requests that a key may make in a window.
         * @example 300
         */
        "X-RateLimit-Limit": number;
        /**
         * @description Length of a window in seconds.
         * @example 60
         */
        "X-RateLimit-Window": number;
        /**
         * @description The names of query parameters that were ignored, because the operation does not have them: up to ten, percent-encoded and separated by commas. A name of more than 40 characters is cut and ends in `...`, as does a longer list.
         * @example curser
         */
        "X-Ignored-Parameters": string;
        /**
         * @description Number of requests that the key has left in the current window.
         * @example 299
         */
        "X-RateLimit-Remaining": number;
        /**
         * @description Seconds until the current window of the key ends, rounded up.
         * @example 42
         */
        "X-RateLimit-Reset": number;
        /**
         * @description The limits that the request was counted for, as a list of structured fields (draft-ietf-httpapi-ratelimit-headers). Each has its name (`key`, `user` or `workspace`), the number of requests `q` that may be made in a window, and the length `w` of a window in seconds.
         * @example "key";q=300;w=60
         */
        "RateLimit-Policy": string;
        /**
         * @description What is left of those limits: under the same names, the number of requests `r` that are left in the current window, and the seconds `t` until it ends, rounded up.
         * @example "key";r=299;t=42
         */
        RateLimit: string;
        /**
         * @description Identifies this version of the content. Send it as `If-None-Match` to get 304 while the content is unchanged.
         * @example W/"2a3-k0Zr3aJ1yWJv9x0u5sE8a0b7xYs"
         */
        ETag: string;
        /**
         * @description Whole seconds to wait before you retry the request.
         * @example 17
         */
        "Retry-After": number;
        /**
         * @description The authentication scheme that is required and, if a credential was sent, an `error` of RFC 6750: `invalid_token`, or `insufficient_scope` with the scopes that are needed.
         * @example Bearer error="invalid_token"
         */
        "WWW-Authenticate": string;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    getStatus: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of an earlier response. While the content is unchanged, the response is 304 without a body */
                "If-None-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Window": components["headers"]["X-RateLimit-Window"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "ok": true,
                     *       "apiVersion": "2026-09-01",
                     *       "company": {
                     *         "id": 1001,
                     *         "name": "Lanternfell Software"
                     *       },
                     *       "key": {
                     *         "prefix": "dsk_live_ZxTH",
                     *         "name": "Data warehouse",
                     *         "scopes": [
                     *           "read"
                     *         ],
                     *         "createdAt": "2026-09-10T09:00:01.958Z",
                     *         "lastUsedAt": "2026-09-10T09:00:02.014Z"
                     *       },
                     *       "webhooks": {
                     *         "endpoints": 1,
                     *         "enabledEndpoints": 1,
                     *         "pendingDeliveries": 0,
                     *         "pendingDeliveriesExact": true,
                     *         "deadDeliveries": 0,
                     *         "deadDeliveriesExact": true,
                     *         "lastDeliveredAt": null
                     *       },
                     *       "rateLimit": {
                     *         "perMinute": 300
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["Status"];
                };
            };
            304: components["responses"]["NotModifiedForKey"];
            401: components["responses"]["ApiKeyInvalidForKey"];
            403: components["responses"]["PermissionDeniedOrFeatureNotEnabledForKey"];
            429: components["responses"]["RateLimitedForKey"];
            500: components["responses"]["InternalErrorForKey"];
            503: components["responses"]["ServiceUnavailableForKey"];
        };
    };
    listCalls: {
        parameters: {
            query?: {
                /** @description The `nextCursor` of an earlier response of this endpoint. Opaque; never expires. Omit it, or leave it empty, to start from the beginning */
                cursor?: string;
                /** @description Maximum number of records on the page. A page of large records ends earlier, at about 4 MiB */
                limit?: number;
                /** @description Only calls that changed at or after this time */
                updated_since?: string;
                /** @description Only calls of this kind */
                kind?: "demo" | "qualifying_call" | "meeting";
                /** @description `true`: only calls that have a summary; `false`: no filter */
                has_summary?: "true" | "false";
                /** @description Only calls that belong to this Decision Room */
                buyer_space_id?: string;
            };
            header?: {
                /** @description The `ETag` of an earlier response. While the content is unchanged, the response is 304 without a body */
                "If-None-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Window": components["headers"]["X-RateLimit-Window"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "77999ead-81a1-5af9-bad6-fcf85c3c5763",
                     *           "kind": "demo",
                     *           "status": "completed",
                     *           "occurredAt": "2026-09-01T12:00:00.000Z",
                     *           "updatedAt": "2026-09-10T09:00:01.066Z",
                     *           "completedAt": "2026-09-01T12:00:26.000Z",
                     *           "owner": {
                     *             "id": 501,
                     *             "name": "Marta Eklund",
                     *             "email": "marta.eklund@lanternfell.example"
                     *           },
                     *           "participants": [
                     *             {
                     *               "name": "Marta Eklund",
                     *               "role": null,
                     *               "email": "marta.eklund@lanternfell.example",
                     *               "isHost": true,
                     *               "sources": [
                     *                 "calendar",
                     *                 "transcript"
                     *               ],
                     *               "isInternal": true,
                     *               "talkPercent": 62.5,
                     *               "talkSeconds": 15
                     *             },
                     *             {
                     *               "name": "Giulia Tremblay",
                     *               "role": "Head of Operations",
                     *               "email": "giulia.tremblay@underhill-tools.example",
                     *               "isHost": false,
                     *               "sources": [
                     *                 "transcript"
                     *               ],
                     *               "isInternal": false,
                     *               "talkPercent": 37.5,
                     *               "talkSeconds": 9
                     *             }
                     *           ],
                     *           "hasSummary": true,
                     *           "title": "Stock counts without paper",
                     *           "prospectName": "Underhill Tools",
                     *           "durationSeconds": 24,
                     *           "buyerSpaceId": "5ac0dea5-cb0b-56eb-97f0-b05dcb1655f6",
                     *           "talkTime": {
                     *             "source": "transcript",
                     *             "totalSpeakerSeconds": 24
                     *           },
                     *           "summary": {
                     *             "schema": "demo",
                     *             "topics": [
                     *               {
                     *                 "label": "Counting today",
                     *                 "summary": "Two people with clipboards, typed in the next day",
                     *                 "endSeconds": 10,
                     *                 "startSeconds": 0
                     *               }
                     *             ],
                     *             "company": "Underhill Tools",
                     *             "headline": "Wants weekly stock counts off paper before the winter season",
                     *             "timeline": "Live in two shops by January",
                     *             "decisions": [],
                     *             "nextSteps": [
                     *               "Send the rollout plan"
                     *             ],
                     *             "painPoints": [
                     *               "Counts are typed in twice"
                     *             ],
                     *             "actionItems": [],
                     *             "currentState": [],
                     *             "keyTakeaways": [
                     *               "Counts take two evenings a week today"
                     *             ],
                     *             "participants": [
                     *               "Marta Eklund",
                     *               "Giulia Tremblay"
                     *             ],
                     *             "budgetSignals": "Budget for this year is approved",
                     *             "openQuestions": [],
                     *             "desiredOutcomes": [],
                     *             "decisionCriteria": [],
                     *             "verdictReasoning": null,
                     *             "contextForNextCall": "Bring the rollout plan for the second shop",
                     *             "qualificationVerdict": null
                     *           },
                     *           "deal": {
                     *             "status": "open",
                     *             "valueCents": 5200000
                     *           },
                     *           "disqualifiedAt": null,
                     *           "disqualifiedReason": null
                     *         }
                     *       ],
                     *       "nextCursor": "eyJmZWVkIjoiY2FsbHMiLCJhdCI6MTc4OTAzMDgwMTA2NiwiaWQiOiI3Nzk5OWVhZC04MWExLTVhZjktYmFkNi1mY2Y4NWMzYzU3NjMifQ",
                     *       "hasMore": true
                     *     }
                     */
                    "application/json": {
                        /** @description Records in ascending order of the sort key, oldest first */
                        data: components["schemas"]["Call"][];
                        /** @description Pass it as `cursor` to continue after this page, now or later; present even if `hasMore` is false. If a first page with `since` or `updated_since` is empty, it is the position from which that page was read, ten minutes before that time or the present */
                        nextCursor: string;
                        /** @description Whether there were more records when this page was read, or may be: a page with `since` examines at most 50,000 records, and can be empty while there are others. Rely on this field, not on the number of records */
                        hasMore: boolean;
                    };
                };
            };
            304: components["responses"]["NotModifiedForKey"];
            400: components["responses"]["InvalidRequestOrInvalidCursorForKey"];
            401: components["responses"]["ApiKeyInvalidForKey"];
            403: components["responses"]["PermissionDeniedOrFeatureNotEnabledForKey"];
            429: components["responses"]["RateLimitedForKey"];
            500: components["responses"]["InternalErrorForKey"];
            503: components["responses"]["ServiceUnavailableForKey"];
        };
    };
    getCall: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of an earlier response. While the content is unchanged, the response is 304 without a body */
                "If-None-Match"?: string;
            };
            path: {
                /** @description Id of the object */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Window": components["headers"]["X-RateLimit-Window"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "77999ead-81a1-5af9-bad6-fcf85c3c5763",
                     *         "kind": "demo",
                     *         "status": "completed",
                     *         "occurredAt": "2026-09-01T12:00:00.000Z",
                     *         "updatedAt": "2026-09-10T09:00:01.066Z",
                     *         "completedAt": "2026-09-01T12:00:26.000Z",
                     *         "owner": {
                     *           "id": 501,
                     *           "name": "Marta Eklund",
                     *           "email": "marta.eklund@lanternfell.example"
                     *         },
                     *         "participants": [
                     *           {
                     *             "name": "Marta Eklund",
                     *             "role": null,
                     *             "email": "marta.eklund@lanternfell.example",
                     *             "isHost": true,
                     *             "sources": [
                     *               "calendar",
                     *               "transcript"
                     *             ],
                     *             "isInternal": true,
                     *             "talkPercent": 62.5,
                     *             "talkSeconds": 15
                     *           },
                     *           {
                     *             "name": "Giulia Tremblay",
                     *             "role": "Head of Operations",
                     *             "email": "giulia.tremblay@underhill-tools.example",
                     *             "isHost": false,
                     *             "sources": [
                     *               "transcript"
                     *             ],
                     *             "isInternal": false,
                     *             "talkPercent": 37.5,
                     *             "talkSeconds": 9
                     *           }
                     *         ],
                     *         "hasSummary": true,
                     *         "title": "Stock counts without paper",
                     *         "prospectName": "Underhill Tools",
                     *         "durationSeconds": 24,
                     *         "buyerSpaceId": "5ac0dea5-cb0b-56eb-97f0-b05dcb1655f6",
                     *         "talkTime": {
                     *           "source": "transcript",
                     *           "totalSpeakerSeconds": 24
                     *         },
                     *         "summary": {
                     *           "schema": "demo",
                     *           "topics": [
                     *             {
                     *               "label": "Counting today",
                     *               "summary": "Two people with clipboards, typed in the next day",
                     *               "endSeconds": 10,
                     *               "startSeconds": 0
                     *             }
                     *           ],
                     *           "company": "Underhill Tools",
                     *           "headline": "Wants weekly stock counts off paper before the winter season",
                     *           "timeline": "Live in two shops by January",
                     *           "decisions": [],
                     *           "nextSteps": [
                     *             "Send the rollout plan"
                     *           ],
                     *           "painPoints": [
                     *             "Counts are typed in twice"
                     *           ],
                     *           "actionItems": [],
                     *           "currentState": [],
                     *           "keyTakeaways": [
                     *             "Counts take two evenings a week today"
                     *           ],
                     *           "participants": [
                     *             "Marta Eklund",
                     *             "Giulia Tremblay"
                     *           ],
                     *           "budgetSignals": "Budget for this year is approved",
                     *           "openQuestions": [],
                     *           "desiredOutcomes": [],
                     *           "decisionCriteria": [],
                     *           "verdictReasoning": null,
                     *           "contextForNextCall": "Bring the rollout plan for the second shop",
                     *           "qualificationVerdict": null
                     *         },
                     *         "deal": {
                     *           "status": "open",
                     *           "valueCents": 5200000
                     *         },
                     *         "disqualifiedAt": null,
                     *         "disqualifiedReason": null
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Call"];
                    };
                };
            };
            304: components["responses"]["NotModifiedForKey"];
            401: components["responses"]["ApiKeyInvalidForKey"];
            403: components["responses"]["PermissionDeniedOrFeatureNotEnabledForKey"];
            404: components["responses"]["NotFoundForKey"];
            429: components["responses"]["RateLimitedForKey"];
            500: components["responses"]["InternalErrorForKey"];
            503: components["responses"]["ServiceUnavailableForKey"];
        };
    };
    listEngagementEvents: {
        parameters: {
            query?: {
                /** @description The `nextCursor` of an earlier response; the last id received works as well. Never expires. Omit it, or leave it empty, to start from the beginning */
                cursor?: string;
                /** @description Maximum number of records on the page. A page of large records ends earlier, at about 4 MiB */
                limit?: number;
                /** @description Only events of these types: at most 20, separated by commas. An unknown type matches nothing */
                types?: string;
                /** @description Only events that occurred at or after this time */
                since?: string;
                /** @description Only events in this Decision Room */
                buyer_space_id?: string;
                /** @description Only events of this recording */
                demo_id?: string;
            };
            header?: {
                /** @description The `ETag` of an earlier response. While the content is unchanged, the response is 304 without a body */
                "If-None-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Window": components["headers"]["X-RateLimit-Window"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "1789030800000000",
                     *           "type": "trailer_view",
                     *           "occurredAt": "2026-09-02T08:30:00.000Z",
                     *           "actor": {
                     *             "name": "Piet Vos",
                     *             "email": "piet.vos@underhill-tools.example"
                     *           },
                     *           "personId": "ed63d46b-b543-8d6e-8716-2023164f0e0d",
                     *           "metadata": {
                     *             "device": "mobile"
                     *           },
                     *           "demoId": "77999ead-81a1-5af9-bad6-fcf85c3c5763",
                     *           "demoTitle": "Stock counts without paper",
                     *           "distributionId": "7a8f6bbe-7fde-5868-a773-eb85056fca65",
                     *           "forwardedFromDistributionId": "75ab4229-e29f-5724-9149-eeadb969b5bb",
                     *           "buyerSpaceId": "5ac0dea5-cb0b-56eb-97f0-b05dcb1655f6",
                     *           "buyerSpaceName": "Underhill Tools",
                     *           "owner": {
                     *             "id": 501,
                     *             "name": "Marta Eklund",
                     *             "email": "marta.eklund@lanternfell.example"
                     *           },
                     *           "docId": null
                     *         }
                     *       ],
                     *       "nextCursor": "1789030800000000",
                     *       "hasMore": true
                     *     }
                     */
                    "application/json": {
                        /** @description Records in ascending order of the sort key, oldest first */
                        data: components["schemas"]["EngagementEvent"][];
                        /** @description Pass it as `cursor` to continue after this page, now or later; present even if `hasMore` is false. If a first page with `since` or `updated_since` is empty, it is the position from which that page was read, ten minutes before that time or the present */
                        nextCursor: string;
                        /** @description Whether there were more records when this page was read, or may be: a page with `since` examines at most 50,000 records, and can be empty while there are others. Rely on this field, not on the number of records */
                        hasMore: boolean;
                    };
                };
            };
            304: components["responses"]["NotModifiedForKey"];
            400: components["responses"]["InvalidRequestOrInvalidCursorForKey"];
            401: components["responses"]["ApiKeyInvalidForKey"];
            403: components["responses"]["PermissionDeniedOrFeatureNotEnabledForKey"];
            429: components["responses"]["RateLimitedForKey"];
            500: components["responses"]["InternalErrorForKey"];
            503: components["responses"]["ServiceUnavailableForKey"];
        };
    };
    listEngagementViews: {
        parameters: {
            query?: {
                /** @description The `nextCursor` of an earlier response; the last id received works as well. Never expires. Omit it, or leave it empty, to start from the beginning */
                cursor?: string;
                /** @description Maximum number of records on the page. A page of large records ends earlier, at about 4 MiB */
                limit?: number;
                /** @description Only views that started at or after this time */
                since?: string;
                /** @description Only views in this Decision Room */
                buyer_space_id?: string;
                /** @description Only views of this recording */
                demo_id?: string;
                /** @description Only views through this share link */
                distribution_id?: string;
            };
            header?: {
                /** @description The `ETag` of an earlier response. While the content is unchanged, the response is 304 without a body */
                "If-None-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Window": components["headers"]["X-RateLimit-Window"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "1789030800000000",
                     *           "kind": "trailer",
                     *           "startedAt": "2026-09-02T07:00:00.000Z",
                     *           "endedAt": "2026-09-02T07:00:30.000Z",
                     *           "actor": {
                     *             "name": "Giulia Tremblay",
                     *             "email": "giulia.tremblay@underhill-tools.example"
                     *           },
                     *           "personId": "2d24ed30-b09c-8d5b-bd5d-4b58d1f29b6d",
                     *           "distributionId": "75ab4229-e29f-5724-9149-eeadb969b5bb",
                     *           "forwardedFromDistributionId": null,
                     *           "demoId": "77999ead-81a1-5af9-bad6-fcf85c3c5763",
                     *           "demoTitle": "Stock counts without paper",
                     *           "docId": null,
                     *           "buyerSpaceId": "5ac0dea5-cb0b-56eb-97f0-b05dcb1655f6",
                     *           "buyerSpaceName": "Underhill Tools",
                     *           "owner": {
                     *             "id": 501,
                     *             "name": "Marta Eklund",
                     *             "email": "marta.eklund@lanternfell.example"
                     *           },
                     *           "watchSeconds": 24,
                     *           "uniqueSeconds": 18,
                     *           "durationSeconds": 24,
                     *           "completionPercent": 75,
                     *           "segments": [
                     *             {
                     *               "startSeconds": 0,
                     *               "endSeconds": 18
                     *             },
                     *             {
                     *               "startSeconds": 6,
                     *               "endSeconds": 12
                     *             }
                     *           ]
                     *         }
                     *       ],
                     *       "nextCursor": "1789030800000000",
                     *       "hasMore": true
                     *     }
                     */
                    "application/json": {
                        /** @description Records in ascending order of the sort key, oldest first */
                        data: components["schemas"]["EngagementView"][];
                        /** @description Pass it as `cursor` to continue after this page, now or later; present even if `hasMore` is false. If a first page with `since` or `updated_since` is empty, it is the position from which that page was read, ten minutes before that time or the present */
                        nextCursor: string;
                        /** @description Whether there were more records when this page was read, or may be: a page with `since` examines at most 50,000 records, and can be empty while there are others. Rely on this field, not on the number of records */
                        hasMore: boolean;
                    };
                };
            };
            304: components["responses"]["NotModifiedForKey"];
            400: components["responses"]["InvalidRequestOrInvalidCursorForKey"];
            401: components["responses"]["ApiKeyInvalidForKey"];
            403: components["responses"]["PermissionDeniedOrFeatureNotEnabledForKey"];
            429: components["responses"]["RateLimitedForKey"];
            500: components["responses"]["InternalErrorForKey"];
            503: components["responses"]["ServiceUnavailableForKey"];
        };
    };
    listRooms: {
        parameters: {
            query?: {
                /** @description The `nextCursor` of an earlier response of this endpoint. Opaque; never expires. Omit it, or leave it empty, to start from the beginning */
                cursor?: string;
                /** @description Maximum number of records on the page. A page of large records ends earlier, at about 4 MiB */
                limit?: number;
                /** @description Only rooms with activity at or after this time */
                updated_since?: string;
                /** @description Only rooms with this status */
                status?: "open" | "won" | "lost" | "dormant";
            };
            header?: {
                /** @description The `ETag` of an earlier response. While the content is unchanged, the response is 304 without a body */
                "If-None-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Window": components["headers"]["X-RateLimit-Window"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "5ac0dea5-cb0b-56eb-97f0-b05dcb1655f6",
                     *           "name": "Underhill Tools",
                     *           "slug": "underhill-tools",
                     *           "status": "open",
                     *           "owner": {
                     *             "id": 501,
                     *             "name": "Marta Eklund",
                     *             "email": "marta.eklund@lanternfell.example"
                     *           },
                     *           "primaryContactEmail": "giulia.tremblay@underhill-tools.example",
                     *           "expectedCloseDate": "2026-12-18",
                     *           "dealValueCents": 5200000,
                     *           "sourceCallId": null,
                     *           "createdAt": "2026-09-01T14:02:11.000Z",
                     *           "lastActivityAt": "2026-09-10T09:00:01.790Z",
                     *           "lastEngagementAt": "2026-09-08T15:23:05.000Z",
                     *           "closedAt": null
                     *         }
                     *       ],
                     *       "nextCursor": "eyJmZWVkIjoiZGVjaXNpb24tcm9vbXMiLCJhdCI6MTc4OTAzMDgwMTc5MCwiaWQiOiI1YWMwZGVhNS1jYjBiLTU2ZWItOTdmMC1iMDVkY2IxNjU1ZjYifQ",
                     *       "hasMore": true
                     *     }
                     */
                    "application/json": {
                        /** @description Records in ascending order of the sort key, oldest first */
                        data: components["schemas"]["Room"][];
                        /** @description Pass it as `cursor` to continue after this page, now or later; present even if `hasMore` is false. If a first page with `since` or `updated_since` is empty, it is the position from which that page was read, ten minutes before that time or the present */
                        nextCursor: string;
                        /** @description Whether there were more records when this page was read, or may be: a page with `since` examines at most 50,000 records, and can be empty while there are others. Rely on this field, not on the number of records */
                        hasMore: boolean;
                    };
                };
            };
            304: components["responses"]["NotModifiedForKey"];
            400: components["responses"]["InvalidRequestOrInvalidCursorForKey"];
            401: components["responses"]["ApiKeyInvalidForKey"];
            403: components["responses"]["PermissionDeniedOrFeatureNotEnabledForKey"];
            429: components["responses"]["RateLimitedForKey"];
            500: components["responses"]["InternalErrorForKey"];
            503: components["responses"]["ServiceUnavailableForKey"];
        };
    };
    getRoom: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of an earlier response. While the content is unchanged, the response is 304 without a body */
                "If-None-Match"?: string;
            };
            path: {
                /** @description Id of the object */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Window": components["headers"]["X-RateLimit-Window"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "5ac0dea5-cb0b-56eb-97f0-b05dcb1655f6",
                     *         "name": "Underhill Tools",
                     *         "slug": "underhill-tools",
                     *         "status": "open",
                     *         "owner": {
                     *           "id": 501,
                     *           "name": "Marta Eklund",
                     *           "email": "marta.eklund@lanternfell.example"
                     *         },
                     *         "primaryContactEmail": "giulia.tremblay@underhill-tools.example",
                     *         "expectedCloseDate": "2026-12-18",
                     *         "dealValueCents": 5200000,
                     *         "sourceCallId": null,
                     *         "createdAt": "2026-09-01T14:02:11.000Z",
                     *         "lastActivityAt": "2026-09-10T09:00:01.790Z",
                     *         "lastEngagementAt": "2026-09-08T15:23:05.000Z",
                     *         "closedAt": null
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Room"];
                    };
                };
            };
            304: components["responses"]["NotModifiedForKey"];
            401: components["responses"]["ApiKeyInvalidForKey"];
            403: components["responses"]["PermissionDeniedOrFeatureNotEnabledForKey"];
            404: components["responses"]["NotFoundForKey"];
            429: components["responses"]["RateLimitedForKey"];
            500: components["responses"]["InternalErrorForKey"];
            503: components["responses"]["ServiceUnavailableForKey"];
        };
    };
    getRoomMetrics: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of an earlier response. While the content is unchanged, the response is 304 without a body */
                "If-None-Match"?: string;
            };
            path: {
                /** @description Id of the object */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Window": components["headers"]["X-RateLimit-Window"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "room": {
                     *           "id": "5ac0dea5-cb0b-56eb-97f0-b05dcb1655f6",
                     *           "name": "Underhill Tools",
                     *           "slug": "underhill-tools",
                     *           "status": "open",
                     *           "owner": {
                     *             "id": 501,
                     *             "name": "Marta Eklund",
                     *             "email": "marta.eklund@lanternfell.example"
                     *           },
                     *           "primaryContactEmail": "giulia.tremblay@underhill-tools.example",
                     *           "expectedCloseDate": "2026-12-18",
                     *           "dealValueCents": 5200000,
                     *           "sourceCallId": null,
                     *           "createdAt": "2026-09-01T14:02:11.000Z",
                     *           "lastActivityAt": "2026-09-10T09:00:01.790Z",
                     *           "lastEngagementAt": "2026-09-08T15:23:05.000Z",
                     *           "closedAt": null
                     *         },
                     *         "engagementScore": 76,
                     *         "totals": {
                     *           "events": 2,
                     *           "engagedPeople": 2,
                     *           "silentPeople": 1,
                     *           "trailerViews": 1,
                     *           "watchSeconds": 24,
                     *           "bestCompletionPercent": 75,
                     *           "docsOpened": 1,
                     *           "lastActivityAt": "2026-09-08T15:23:05.000Z"
                     *         },
                     *         "stakeholders": [
                     *           {
                     *             "personId": "181fcc65-9503-8fe7-8e37-4964ff91f005",
                     *             "email": null,
                     *             "name": "Omar Reyes",
                     *             "role": "Economic buyer",
                     *             "title": "CFO",
                     *             "inCommittee": true,
                     *             "status": "silent",
                     *             "trailerViews": 0,
                     *             "trailerCompletes": 0,
                     *             "watchSeconds": 0,
                     *             "bestCompletionPercent": 0,
                     *             "roomVisits": 0,
                     *             "docOpens": 0,
                     *             "docsOpened": 0,
                     *             "mapCheckoffs": 0,
                     *             "comments": 0,
                     *             "messages": 0,
                     *             "forwards": 0,
                     *             "lastActivityAt": null
                     *           },
                     *           {
                     *             "personId": "2d24ed30-b09c-8d5b-bd5d-4b58d1f29b6d",
                     *             "email": "giulia.tremblay@underhill-tools.example",
                     *             "name": "Giulia Tremblay",
                     *             "role": null,
                     *             "title": null,
                     *             "inCommittee": false,
                     *             "status": "engaged",
                     *             "trailerViews": 0,
                     *             "trailerCompletes": 0,
                     *             "watchSeconds": 24,
                     *             "bestCompletionPercent": 75,
                     *             "roomVisits": 0,
                     *             "docOpens": 1,
                     *             "docsOpened": 1,
                     *             "mapCheckoffs": 0,
                     *             "comments": 0,
                     *             "messages": 0,
                     *             "forwards": 0,
                     *             "lastActivityAt": "2026-09-08T15:23:05.000Z"
                     *           },
                     *           {
                     *             "personId": "ed63d46b-b543-8d6e-8716-2023164f0e0d",
                     *             "email": "piet.vos@underhill-tools.example",
                     *             "name": "Piet Vos",
                     *             "role": null,
                     *             "title": null,
                     *             "inCommittee": false,
                     *             "status": "engaged",
                     *             "trailerViews": 1,
                     *             "trailerCompletes": 0,
                     *             "watchSeconds": 0,
                     *             "bestCompletionPercent": 0,
                     *             "roomVisits": 0,
                     *             "docOpens": 0,
                     *             "docsOpened": 0,
                     *             "mapCheckoffs": 0,
                     *             "comments": 0,
                     *             "messages": 0,
                     *             "forwards": 0,
                     *             "lastActivityAt": "2026-09-02T08:30:00.000Z"
                     *           }
                     *         ],
                     *         "trailers": [
                     *           {
                     *             "id": "77999ead-81a1-5af9-bad6-fcf85c3c5763",
                     *             "title": "Stock counts without paper",
                     *             "kind": "demo",
                     *             "durationSeconds": 24,
                     *             "recipients": 2,
                     *             "views": 1,
                     *             "watchSeconds": 24,
                     *             "bestCompletionPercent": 75
                     *           }
                     *         ],
                     *         "assets": [
                     *           {
                     *             "id": "b89b18dd-5fe3-52ee-a695-e1f537e4fba0",
                     *             "title": "Rollout plan",
                     *             "category": "proposal",
                     *             "uploadedByProspect": false,
                     *             "libraryAssetId": null,
                     *             "opens": 1,
                     *             "uniqueViewers": 1,
                     *             "totalSeconds": 170,
                     *             "lastViewedAt": "2026-09-08T15:23:05.000Z",
                     *             "viewers": [
                     *               {
                     *                 "distributionId": "75ab4229-e29f-5724-9149-eeadb969b5bb",
                     *                 "email": "giulia.tremblay@underhill-tools.example",
                     *                 "name": "Giulia Tremblay",
                     *                 "seconds": 170,
                     *                 "sessions": 1,
                     *                 "lastViewedAt": "2026-09-08T15:23:05.000Z"
                     *               }
                     *             ]
                     *           }
                     *         ],
                     *         "actionPlan": {
                     *           "total": 2,
                     *           "done": 1,
                     *           "doneByProspect": 1,
                     *           "overdue": 0,
                     *           "lastCompletedAt": "2026-09-04T10:00:00.000Z"
                     *         },
                     *         "conversation": {
                     *           "prospectMessages": 0,
                     *           "sellerMessages": 1,
                     *           "lastMessageAt": "2026-09-03T09:15:00.000Z"
                     *         },
                     *         "esign": {
                     *           "status": "viewed",
                     *           "documents": [
                     *             {
                     *               "id": "agr_20931",
                     *               "buyerSpaceId": "5ac0dea5-cb0b-56eb-97f0-b05dcb1655f6",
                     *               "vendor": "penandink",
                     *               "envelopeId": "env_7c41",
                     *               "subject": "Order form",
                     *               "status": "viewed",
                     *               "recipientCount": 2,
                     *               "sentAt": "2026-09-08T10:00:00.000Z",
                     *               "firstViewedAt": "2026-09-08T11:45:00.000Z",
                     *               "lastEventAt": "2026-09-08T11:45:00.000Z",
                     *               "completedAt": null,
                     *               "declinedAt": null,
                     *               "updatedAt": "2026-09-10T09:00:01.790Z"
                     *             }
                     *           ]
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["RoomMetrics"];
                    };
                };
            };
            304: components["responses"]["NotModifiedForKey"];
            401: components["responses"]["ApiKeyInvalidForKey"];
            403: components["responses"]["PermissionDeniedOrFeatureNotEnabledForKey"];
            404: components["responses"]["NotFoundForKey"];
            429: components["responses"]["RateLimitedForKey"];
            500: components["responses"]["InternalErrorForKey"];
            503: components["responses"]["ServiceUnavailableForKey"];
        };
    };
    listRoomScores: {
        parameters: {
            query?: {
                /** @description The `nextCursor` of an earlier response of this endpoint. Opaque; never expires. Omit it, or leave it empty, to start from the beginning */
                cursor?: string;
                /** @description Maximum number of records on the page. A page of large records ends earlier, at about 4 MiB */
                limit?: number;
                /** @description Only rooms with activity at or after this time */
                updated_since?: string;
                /** @description Only rooms with this status */
                status?: "open" | "won" | "lost" | "dormant";
            };
            header?: {
                /** @description The `ETag` of an earlier response. While the content is unchanged, the response is 304 without a body */
                "If-None-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Window": components["headers"]["X-RateLimit-Window"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "5ac0dea5-cb0b-56eb-97f0-b05dcb1655f6",
                     *           "engagementScore": 76,
                     *           "recencyPoints": 40,
                     *           "breadthPoints": 20,
                     *           "depthPoints": 16,
                     *           "totals": {
                     *             "events": 2,
                     *             "engagedPeople": 2,
                     *             "silentPeople": 1,
                     *             "trailerViews": 1,
                     *             "watchSeconds": 24,
                     *             "bestCompletionPercent": 75,
                     *             "docsOpened": 1,
                     *             "lastActivityAt": "2026-09-08T15:23:05.000Z"
                     *           },
                     *           "lastActivityAt": "2026-09-10T09:00:01.790Z"
                     *         }
                     *       ],
                     *       "nextCursor": "eyJmZWVkIjoicm9vbS1zY29yZXMiLCJhdCI6MTc4OTAzMDgwMTc5MCwiaWQiOiI1YWMwZGVhNS1jYjBiLTU2ZWItOTdmMC1iMDVkY2IxNjU1ZjYifQ",
                     *       "hasMore": true
                     *     }
                     */
                    "application/json": {
                        /** @description Records in ascending order of the sort key, oldest first */
                        data: components["schemas"]["RoomScore"][];
                        /** @description Pass it as `cursor` to continue after this page, now or later; present even if `hasMore` is false. If a first page with `since` or `updated_since` is empty, it is the position from which that page was read, ten minutes before that time or the present */
                        nextCursor: string;
                        /** @description Whether there were more records when this page was read, or may be: a page with `since` examines at most 50,000 records, and can be empty while there are others. Rely on this field, not on the number of records */
                        hasMore: boolean;
                    };
                };
            };
            304: components["responses"]["NotModifiedForKey"];
            400: components["responses"]["InvalidRequestOrInvalidCursorForKey"];
            401: components["responses"]["ApiKeyInvalidForKey"];
            403: components["responses"]["PermissionDeniedOrFeatureNotEnabledForKey"];
            429: components["responses"]["RateLimitedForKey"];
            500: components["responses"]["InternalErrorForKey"];
            503: components["responses"]["ServiceUnavailableForKey"];
        };
    };
    listPeople: {
        parameters: {
            query?: {
                /** @description The `nextCursor` of an earlier response of this endpoint. Opaque; never expires. Omit it, or leave it empty, to start from the beginning */
                cursor?: string;
                /** @description Maximum number of records on the page. A page of large records ends earlier, at about 4 MiB */
                limit?: number;
                /** @description Only people that changed at or after this time */
                updated_since?: string;
                /** @description Only people of this Decision Room */
                buyer_space_id?: string;
            };
            header?: {
                /** @description The `ETag` of an earlier response. While the content is unchanged, the response is 304 without a body */
                "If-None-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Window": components["headers"]["X-RateLimit-Window"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "181fcc65-9503-8fe7-8e37-4964ff91f005",
                     *           "buyerSpaceId": "5ac0dea5-cb0b-56eb-97f0-b05dcb1655f6",
                     *           "email": null,
                     *           "name": "Omar Reyes",
                     *           "role": "Economic buyer",
                     *           "title": "CFO",
                     *           "inCommittee": true,
                     *           "removedAt": null,
                     *           "updatedAt": "2026-09-10T09:00:00.410Z"
                     *         }
                     *       ],
                     *       "nextCursor": "eyJmZWVkIjoicGVvcGxlIiwiYXQiOjE3ODkwMzA4MDA0MTAsImlkIjoiMTgxZmNjNjUtOTUwMy04ZmU3LThlMzctNDk2NGZmOTFmMDA1In0",
                     *       "hasMore": true
                     *     }
                     */
                    "application/json": {
                        /** @description Records in ascending order of the sort key, oldest first */
                        data: components["schemas"]["Person"][];
                        /** @description Pass it as `cursor` to continue after this page, now or later; present even if `hasMore` is false. If a first page with `since` or `updated_since` is empty, it is the position from which that page was read, ten minutes before that time or the present */
                        nextCursor: string;
                        /** @description Whether there were more records when this page was read, or may be: a page with `since` examines at most 50,000 records, and can be empty while there are others. Rely on this field, not on the number of records */
                        hasMore: boolean;
                    };
                };
            };
            304: components["responses"]["NotModifiedForKey"];
            400: components["responses"]["InvalidRequestOrInvalidCursorForKey"];
            401: components["responses"]["ApiKeyInvalidForKey"];
            403: components["responses"]["PermissionDeniedOrFeatureNotEnabledForKey"];
            429: components["responses"]["RateLimitedForKey"];
            500: components["responses"]["InternalErrorForKey"];
            503: components["responses"]["ServiceUnavailableForKey"];
        };
    };
    getPerson: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of an earlier response. While the content is unchanged, the response is 304 without a body */
                "If-None-Match"?: string;
            };
            path: {
                /** @description Id of the object */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Window": components["headers"]["X-RateLimit-Window"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "181fcc65-9503-8fe7-8e37-4964ff91f005",
                     *         "buyerSpaceId": "5ac0dea5-cb0b-56eb-97f0-b05dcb1655f6",
                     *         "email": null,
                     *         "name": "Omar Reyes",
                     *         "role": "Economic buyer",
                     *         "title": "CFO",
                     *         "inCommittee": true,
                     *         "removedAt": null,
                     *         "updatedAt": "2026-09-10T09:00:00.410Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Person"];
                    };
                };
            };
            304: components["responses"]["NotModifiedForKey"];
            401: components["responses"]["ApiKeyInvalidForKey"];
            403: components["responses"]["PermissionDeniedOrFeatureNotEnabledForKey"];
            404: components["responses"]["NotFoundForKey"];
            429: components["responses"]["RateLimitedForKey"];
            500: components["responses"]["InternalErrorForKey"];
            503: components["responses"]["ServiceUnavailableForKey"];
        };
    };
    listDocuments: {
        parameters: {
            query?: {
                /** @description The `nextCursor` of an earlier response of this endpoint. Opaque; never expires. Omit it, or leave it empty, to start from the beginning */
                cursor?: string;
                /** @description Maximum number of records on the page. A page of large records ends earlier, at about 4 MiB */
                limit?: number;
                /** @description Only documents that changed at or after this time */
                updated_since?: string;
                /** @description Only documents of this Decision Room */
                buyer_space_id?: string;
            };
            header?: {
                /** @description The `ETag` of an earlier response. While the content is unchanged, the response is 304 without a body */
                "If-None-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Window": components["headers"]["X-RateLimit-Window"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "b89b18dd-5fe3-52ee-a695-e1f537e4fba0",
                     *           "buyerSpaceId": "5ac0dea5-cb0b-56eb-97f0-b05dcb1655f6",
                     *           "title": "Rollout plan",
                     *           "category": "proposal",
                     *           "uploadedByProspect": false,
                     *           "libraryAssetId": null,
                     *           "updatedAt": "2026-09-10T09:00:00.620Z"
                     *         }
                     *       ],
                     *       "nextCursor": "eyJmZWVkIjoiZG9jdW1lbnRzIiwiYXQiOjE3ODkwMzA4MDA2MjAsImlkIjoiYjg5YjE4ZGQtNWZlMy01MmVlLWE2OTUtZTFmNTM3ZTRmYmEwIn0",
                     *       "hasMore": true
                     *     }
                     */
                    "application/json": {
                        /** @description Records in ascending order of the sort key, oldest first */
                        data: components["schemas"]["Document"][];
                        /** @description Pass it as `cursor` to continue after this page, now or later; present even if `hasMore` is false. If a first page with `since` or `updated_since` is empty, it is the position from which that page was read, ten minutes before that time or the present */
                        nextCursor: string;
                        /** @description Whether there were more records when this page was read, or may be: a page with `since` examines at most 50,000 records, and can be empty while there are others. Rely on this field, not on the number of records */
                        hasMore: boolean;
                    };
                };
            };
            304: components["responses"]["NotModifiedForKey"];
            400: components["responses"]["InvalidRequestOrInvalidCursorForKey"];
            401: components["responses"]["ApiKeyInvalidForKey"];
            403: components["responses"]["PermissionDeniedOrFeatureNotEnabledForKey"];
            429: components["responses"]["RateLimitedForKey"];
            500: components["responses"]["InternalErrorForKey"];
            503: components["responses"]["ServiceUnavailableForKey"];
        };
    };
    getDocument: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of an earlier response. While the content is unchanged, the response is 304 without a body */
                "If-None-Match"?: string;
            };
            path: {
                /** @description Id of the object */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Window": components["headers"]["X-RateLimit-Window"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "b89b18dd-5fe3-52ee-a695-e1f537e4fba0",
                     *         "buyerSpaceId": "5ac0dea5-cb0b-56eb-97f0-b05dcb1655f6",
                     *         "title": "Rollout plan",
                     *         "category": "proposal",
                     *         "uploadedByProspect": false,
                     *         "libraryAssetId": null,
                     *         "updatedAt": "2026-09-10T09:00:00.620Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Document"];
                    };
                };
            };
            304: components["responses"]["NotModifiedForKey"];
            401: components["responses"]["ApiKeyInvalidForKey"];
            403: components["responses"]["PermissionDeniedOrFeatureNotEnabledForKey"];
            404: components["responses"]["NotFoundForKey"];
            429: components["responses"]["RateLimitedForKey"];
            500: components["responses"]["InternalErrorForKey"];
            503: components["responses"]["ServiceUnavailableForKey"];
        };
    };
    listEsignDocuments: {
        parameters: {
            query?: {
                /** @description The `nextCursor` of an earlier response of this endpoint. Opaque; never expires. Omit it, or leave it empty, to start from the beginning */
                cursor?: string;
                /** @description Maximum number of records on the page. A page of large records ends earlier, at about 4 MiB */
                limit?: number;
                /** @description Only contracts that changed at or after this time */
                updated_since?: string;
                /** @description Only contracts of this Decision Room */
                buyer_space_id?: string;
            };
            header?: {
                /** @description The `ETag` of an earlier response. While the content is unchanged, the response is 304 without a body */
                "If-None-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Window": components["headers"]["X-RateLimit-Window"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "agr_20931",
                     *           "buyerSpaceId": "5ac0dea5-cb0b-56eb-97f0-b05dcb1655f6",
                     *           "vendor": "penandink",
                     *           "envelopeId": "env_7c41",
                     *           "subject": "Order form",
                     *           "status": "viewed",
                     *           "recipientCount": 2,
                     *           "sentAt": "2026-09-08T10:00:00.000Z",
                     *           "firstViewedAt": "2026-09-08T11:45:00.000Z",
                     *           "lastEventAt": "2026-09-08T11:45:00.000Z",
                     *           "completedAt": null,
                     *           "declinedAt": null,
                     *           "updatedAt": "2026-09-10T09:00:01.790Z"
                     *         }
                     *       ],
                     *       "nextCursor": "eyJmZWVkIjoiZXNpZ24tZG9jdW1lbnRzIiwiYXQiOjE3ODkwMzA4MDE3OTAsImlkIjoiYWdyXzIwOTMxIn0",
                     *       "hasMore": true
                     *     }
                     */
                    "application/json": {
                        /** @description Records in ascending order of the sort key, oldest first */
                        data: components["schemas"]["EsignDocument"][];
                        /** @description Pass it as `cursor` to continue after this page, now or later; present even if `hasMore` is false. If a first page with `since` or `updated_since` is empty, it is the position from which that page was read, ten minutes before that time or the present */
                        nextCursor: string;
                        /** @description Whether there were more records when this page was read, or may be: a page with `since` examines at most 50,000 records, and can be empty while there are others. Rely on this field, not on the number of records */
                        hasMore: boolean;
                    };
                };
            };
            304: components["responses"]["NotModifiedForKey"];
            400: components["responses"]["InvalidRequestOrInvalidCursorForKey"];
            401: components["responses"]["ApiKeyInvalidForKey"];
            403: components["responses"]["PermissionDeniedOrFeatureNotEnabledForKey"];
            429: components["responses"]["RateLimitedForKey"];
            500: components["responses"]["InternalErrorForKey"];
            503: components["responses"]["ServiceUnavailableForKey"];
        };
    };
    getEsignDocument: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of an earlier response. While the content is unchanged, the response is 304 without a body */
                "If-None-Match"?: string;
            };
            path: {
                /** @description Id of the object */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Window": components["headers"]["X-RateLimit-Window"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "agr_20931",
                     *         "buyerSpaceId": "5ac0dea5-cb0b-56eb-97f0-b05dcb1655f6",
                     *         "vendor": "penandink",
                     *         "envelopeId": "env_7c41",
                     *         "subject": "Order form",
                     *         "status": "viewed",
                     *         "recipientCount": 2,
                     *         "sentAt": "2026-09-08T10:00:00.000Z",
                     *         "firstViewedAt": "2026-09-08T11:45:00.000Z",
                     *         "lastEventAt": "2026-09-08T11:45:00.000Z",
                     *         "completedAt": null,
                     *         "declinedAt": null,
                     *         "updatedAt": "2026-09-10T09:00:01.790Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["EsignDocument"];
                    };
                };
            };
            304: components["responses"]["NotModifiedForKey"];
            401: components["responses"]["ApiKeyInvalidForKey"];
            403: components["responses"]["PermissionDeniedOrFeatureNotEnabledForKey"];
            404: components["responses"]["NotFoundForKey"];
            429: components["responses"]["RateLimitedForKey"];
            500: components["responses"]["InternalErrorForKey"];
            503: components["responses"]["ServiceUnavailableForKey"];
        };
    };
    listDistributions: {
        parameters: {
            query?: {
                /** @description The `nextCursor` of an earlier response of this endpoint. Opaque; never expires. Omit it, or leave it empty, to start from the beginning */
                cursor?: string;
                /** @description Maximum number of records on the page. A page of large records ends earlier, at about 4 MiB */
                limit?: number;
                /** @description Only share links that changed at or after this time */
                updated_since?: string;
                /** @description Only share links of this Decision Room */
                buyer_space_id?: string;
                /** @description Only share links to this recording */
                demo_id?: string;
            };
            header?: {
                /** @description The `ETag` of an earlier response. While the content is unchanged, the response is 304 without a body */
                "If-None-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Window": components["headers"]["X-RateLimit-Window"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "75ab4229-e29f-5724-9149-eeadb969b5bb",
                     *           "buyerSpaceId": "5ac0dea5-cb0b-56eb-97f0-b05dcb1655f6",
                     *           "recipient": {
                     *             "name": "Giulia Tremblay",
                     *             "email": "giulia.tremblay@underhill-tools.example"
                     *           },
                     *           "demoId": "77999ead-81a1-5af9-bad6-fcf85c3c5763",
                     *           "forwardedFromDistributionId": null,
                     *           "updatedAt": "2026-09-10T09:00:00.480Z"
                     *         }
                     *       ],
                     *       "nextCursor": "eyJmZWVkIjoiZGlzdHJpYnV0aW9ucyIsImF0IjoxNzg5MDMwODAwNDgwLCJpZCI6Ijc1YWI0MjI5LWUyOWYtNTcyNC05MTQ5LWVlYWRiOTY5YjViYiJ9",
                     *       "hasMore": true
                     *     }
                     */
                    "application/json": {
                        /** @description Records in ascending order of the sort key, oldest first */
                        data: components["schemas"]["Distribution"][];
                        /** @description Pass it as `cursor` to continue after this page, now or later; present even if `hasMore` is false. If a first page with `since` or `updated_since` is empty, it is the position from which that page was read, ten minutes before that time or the present */
                        nextCursor: string;
                        /** @description Whether there were more records when this page was read, or may be: a page with `since` examines at most 50,000 records, and can be empty while there are others. Rely on this field, not on the number of records */
                        hasMore: boolean;
                    };
                };
            };
            304: components["responses"]["NotModifiedForKey"];
            400: components["responses"]["InvalidRequestOrInvalidCursorForKey"];
            401: components["responses"]["ApiKeyInvalidForKey"];
            403: components["responses"]["PermissionDeniedOrFeatureNotEnabledForKey"];
            429: components["responses"]["RateLimitedForKey"];
            500: components["responses"]["InternalErrorForKey"];
            503: components["responses"]["ServiceUnavailableForKey"];
        };
    };
    getDistribution: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of an earlier response. While the content is unchanged, the response is 304 without a body */
                "If-None-Match"?: string;
            };
            path: {
                /** @description Id of the object */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Window": components["headers"]["X-RateLimit-Window"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "75ab4229-e29f-5724-9149-eeadb969b5bb",
                     *         "buyerSpaceId": "5ac0dea5-cb0b-56eb-97f0-b05dcb1655f6",
                     *         "recipient": {
                     *           "name": "Giulia Tremblay",
                     *           "email": "giulia.tremblay@underhill-tools.example"
                     *         },
                     *         "demoId": "77999ead-81a1-5af9-bad6-fcf85c3c5763",
                     *         "forwardedFromDistributionId": null,
                     *         "updatedAt": "2026-09-10T09:00:00.480Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Distribution"];
                    };
                };
            };
            304: components["responses"]["NotModifiedForKey"];
            401: components["responses"]["ApiKeyInvalidForKey"];
            403: components["responses"]["PermissionDeniedOrFeatureNotEnabledForKey"];
            404: components["responses"]["NotFoundForKey"];
            429: components["responses"]["RateLimitedForKey"];
            500: components["responses"]["InternalErrorForKey"];
            503: components["responses"]["ServiceUnavailableForKey"];
        };
    };
    getHeatmap: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of an earlier response. While the content is unchanged, the response is 304 without a body */
                "If-None-Match"?: string;
            };
            path: {
                /** @description Id of the object */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Window": components["headers"]["X-RateLimit-Window"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "distributionId": "75ab4229-e29f-5724-9149-eeadb969b5bb",
                     *         "demoId": "77999ead-81a1-5af9-bad6-fcf85c3c5763",
                     *         "demoTitle": "Stock counts without paper",
                     *         "actor": {
                     *           "name": "Giulia Tremblay",
                     *           "email": "giulia.tremblay@underhill-tools.example"
                     *         },
                     *         "durationSeconds": 24,
                     *         "bucketSeconds": 1,
                     *         "views": 1,
                     *         "watchSeconds": 24,
                     *         "bestCompletionPercent": 75,
                     *         "lastViewedAt": "2026-09-02T07:00:30.000Z",
                     *         "buckets": [
                     *           {
                     *             "startSeconds": 0,
                     *             "endSeconds": 1,
                     *             "plays": 1,
                     *             "rewatches": 0,
                     *             "intensity": 50
                     *           },
                     *           {
                     *             "startSeconds": 1,
                     *             "endSeconds": 2,
                     *             "plays": 1,
                     *             "rewatches": 0,
                     *             "intensity": 50
                     *           },
                     *           {
                     *             "startSeconds": 2,
                     *             "endSeconds": 3,
                     *             "plays": 1,
                     *             "rewatches": 0,
                     *             "intensity": 50
                     *           },
                     *           {
                     *             "startSeconds": 3,
                     *             "endSeconds": 4,
                     *             "plays": 1,
                     *             "rewatches": 0,
                     *             "intensity": 50
                     *           },
                     *           {
                     *             "startSeconds": 4,
                     *             "endSeconds": 5,
                     *             "plays": 1,
                     *             "rewatches": 0,
                     *             "intensity": 50
                     *           },
                     *           {
                     *             "startSeconds": 5,
                     *             "endSeconds": 6,
                     *             "plays": 1,
                     *             "rewatches": 0,
                     *             "intensity": 50
                     *           },
                     *           {
                     *             "startSeconds": 6,
                     *             "endSeconds": 7,
                     *             "plays": 2,
                     *             "rewatches": 1,
                     *             "intensity": 100
                     *           },
                     *           {
                     *             "startSeconds": 7,
                     *             "endSeconds": 8,
                     *             "plays": 2,
                     *             "rewatches": 1,
                     *             "intensity": 100
                     *           },
                     *           {
                     *             "startSeconds": 8,
                     *             "endSeconds": 9,
                     *             "plays": 2,
                     *             "rewatches": 1,
                     *             "intensity": 100
                     *           },
                     *           {
                     *             "startSeconds": 9,
                     *             "endSeconds": 10,
                     *             "plays": 2,
                     *             "rewatches": 1,
                     *             "intensity": 100
                     *           },
                     *           {
                     *             "startSeconds": 10,
                     *             "endSeconds": 11,
                     *             "plays": 2,
                     *             "rewatches": 1,
                     *             "intensity": 100
                     *           },
                     *           {
                     *             "startSeconds": 11,
                     *             "endSeconds": 12,
                     *             "plays": 2,
                     *             "rewatches": 1,
                     *             "intensity": 100
                     *           },
                     *           {
                     *             "startSeconds": 12,
                     *             "endSeconds": 13,
                     *             "plays": 1,
                     *             "rewatches": 0,
                     *             "intensity": 50
                     *           },
                     *           {
                     *             "startSeconds": 13,
                     *             "endSeconds": 14,
                     *             "plays": 1,
                     *             "rewatches": 0,
                     *             "intensity": 50
                     *           },
                     *           {
                     *             "startSeconds": 14,
                     *             "endSeconds": 15,
                     *             "plays": 1,
                     *             "rewatches": 0,
                     *             "intensity": 50
                     *           },
                     *           {
                     *             "startSeconds": 15,
                     *             "endSeconds": 16,
                     *             "plays": 1,
                     *             "rewatches": 0,
                     *             "intensity": 50
                     *           },
                     *           {
                     *             "startSeconds": 16,
                     *             "endSeconds": 17,
                     *             "plays": 1,
                     *             "rewatches": 0,
                     *             "intensity": 50
                     *           },
                     *           {
                     *             "startSeconds": 17,
                     *             "endSeconds": 18,
                     *             "plays": 1,
                     *             "rewatches": 0,
                     *             "intensity": 50
                     *           },
                     *           {
                     *             "startSeconds": 18,
                     *             "endSeconds": 19,
                     *             "plays": 0,
                     *             "rewatches": 0,
                     *             "intensity": 0
                     *           },
                     *           {
                     *             "startSeconds": 19,
                     *             "endSeconds": 20,
                     *             "plays": 0,
                     *             "rewatches": 0,
                     *             "intensity": 0
                     *           },
                     *           {
                     *             "startSeconds": 20,
                     *             "endSeconds": 21,
                     *             "plays": 0,
                     *             "rewatches": 0,
                     *             "intensity": 0
                     *           },
                     *           {
                     *             "startSeconds": 21,
                     *             "endSeconds": 22,
                     *             "plays": 0,
                     *             "rewatches": 0,
                     *             "intensity": 0
                     *           },
                     *           {
                     *             "startSeconds": 22,
                     *             "endSeconds": 23,
                     *             "plays": 0,
                     *             "rewatches": 0,
                     *             "intensity": 0
                     *           },
                     *           {
                     *             "startSeconds": 23,
                     *             "endSeconds": 24,
                     *             "plays": 0,
                     *             "rewatches": 0,
                     *             "intensity": 0
                     *           }
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Heatmap"];
                    };
                };
            };
            304: components["responses"]["NotModifiedForKey"];
            401: components["responses"]["ApiKeyInvalidForKey"];
            403: components["responses"]["PermissionDeniedOrFeatureNotEnabledForKey"];
            404: components["responses"]["NotFoundForKey"];
            429: components["responses"]["RateLimitedForKey"];
            500: components["responses"]["InternalErrorForKey"];
            503: components["responses"]["ServiceUnavailableForKey"];
        };
    };
    listErasures: {
        parameters: {
            query?: {
                /** @description The `nextCursor` of an earlier response of this endpoint. Opaque; never expires. Omit it, or leave it empty, to start from the beginning */
                cursor?: string;
                /** @description Maximum number of records on the page. A page of large records ends earlier, at about 4 MiB */
                limit?: number;
            };
            header?: {
                /** @description The `ETag` of an earlier response. While the content is unchanged, the response is 304 without a body */
                "If-None-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Window": components["headers"]["X-RateLimit-Window"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "0d3f6c5a-7a0e-4f0e-9a51-6e1c0c1d7b2f",
                     *           "erasureId": "0d3f6c5a-7a0e-4f0e-9a51-6e1c0c1d7b2f",
                     *           "kind": "person",
                     *           "buyerSpaceId": null,
                     *           "emailSha256": "e437fe5808d46b3f9bd00bce106219f75e7f67b77fedc092e32b5770cb98fac2",
                     *           "personIds": [
                     *             "181fcc65-9503-8fe7-8e37-4964ff91f005"
                     *           ],
                     *           "distributionIds": [
                     *             "75ab4229-e29f-5724-9149-eeadb969b5bb"
                     *           ],
                     *           "engagementEventIds": [
                     *             "1789030800000000"
                     *           ],
                     *           "engagementViewIds": [],
                     *           "engagementBefore": null,
                     *           "erasedAt": "2026-09-12T08:00:04.120Z"
                     *         }
                     *       ],
                     *       "nextCursor": "eyJmZWVkIjoiZXJhc3VyZXMiLCJhdCI6MTc4OTIwMDAwNDEyMCwiaWQiOiIwZDNmNmM1YS03YTBlLTRmMGUtOWE1MS02ZTFjMGMxZDdiMmYifQ",
                     *       "hasMore": true
                     *     }
                     */
                    "application/json": {
                        /** @description Records in ascending order of the sort key, oldest first */
                        data: components["schemas"]["Erasure"][];
                        /** @description Pass it as `cursor` to continue after this page, now or later; present even if `hasMore` is false. If a first page with `since` or `updated_since` is empty, it is the position from which that page was read, ten minutes before that time or the present */
                        nextCursor: string;
                        /** @description Whether there were more records when this page was read, or may be: a page with `since` examines at most 50,000 records, and can be empty while there are others. Rely on this field, not on the number of records */
                        hasMore: boolean;
                    };
                };
            };
            304: components["responses"]["NotModifiedForKey"];
            400: components["responses"]["InvalidRequestOrInvalidCursorForKey"];
            401: components["responses"]["ApiKeyInvalidForKey"];
            403: components["responses"]["PermissionDeniedOrFeatureNotEnabledForKey"];
            429: components["responses"]["RateLimitedForKey"];
            500: components["responses"]["InternalErrorForKey"];
            503: components["responses"]["ServiceUnavailableForKey"];
        };
    };
    listDeliveries: {
        parameters: {
            query?: {
                /** @description The order of the records: `asc` from the oldest to the newest, `desc` from the newest to the oldest. A cursor continues in the order that it comes from */
                order?: "asc" | "desc";
                /** @description The `nextCursor` of an earlier response in the same order; one of the other order is an `INVALID_CURSOR`. In ascending order it is the last id received, so the id of any record also works. Never expires. Omit it, or leave it empty, to start from the first record of the order */
                cursor?: string;
                /** @description Maximum number of records on the page. A page of large records ends earlier, at about 4 MiB */
                limit?: number;
                /** @description Only deliveries with this status */
                status?: "pending" | "delivered" | "dead";
                /** @description Only deliveries of this event type */
                event_type?: "engagement.recorded" | "call.summary.created" | "decision_room.updated" | "decision_room.esign.updated" | "decision_room.created" | "call.recorded" | "engagement.view.recorded" | "person.erased" | "room.erased" | "webhook.endpoint.disabled" | "integration.ping";
                /** @description Only deliveries of this event */
                event_id?: string;
                /** @description Only deliveries that were created at or after this time */
                since?: string;
                /** @description Only deliveries that were created before this time */
                until?: string;
                /** @description Only deliveries of events about this Decision Room */
                buyer_space_id?: string;
                /** @description Only deliveries of events about this call, or about this recording where it was shared */
                call_id?: string;
                /** @description Only deliveries of what the person with this email address did. Case is ignored */
                person?: string;
                /** @description Only deliveries to this endpoint */
                endpoint_id?: number;
            };
            header?: {
                /** @description The `ETag` of an earlier response. While the content is unchanged, the response is 304 without a body */
                "If-None-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Window": components["headers"]["X-RateLimit-Window"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "1789030800000000",
                     *           "endpointId": 1,
                     *           "eventId": "bbd83a9f-de83-48b1-bdf7-d0887c1e4ace",
                     *           "eventType": "decision_room.updated",
                     *           "buyerSpaceId": null,
                     *           "callId": null,
                     *           "status": "delivered",
                     *           "attempts": 1,
                     *           "nextAttemptAt": null,
                     *           "createdAt": "2026-09-10T09:00:04.621Z",
                     *           "deliveredAt": "2026-09-10T09:00:04.930Z",
                     *           "lastStatusCode": 200,
                     *           "lastError": null,
                     *           "dismissedAt": null
                     *         }
                     *       ],
                     *       "nextCursor": "1789030800000000",
                     *       "hasMore": true
                     *     }
                     */
                    "application/json": {
                        /** @description Deliveries in the requested order */
                        data: components["schemas"]["WebhookDelivery"][];
                        /** @description Pass it as `cursor` to continue after this page, now or later; present even if `hasMore` is false. If a first page with `since` or `updated_since` is empty, it is the position from which that page was read, ten minutes before that time or the present */
                        nextCursor: string;
                        /** @description Whether there were more records when this page was read, or may be: a page with `since` examines at most 50,000 records, and can be empty while there are others. Rely on this field, not on the number of records */
                        hasMore: boolean;
                    };
                };
            };
            304: components["responses"]["NotModifiedForKey"];
            400: components["responses"]["InvalidRequestOrInvalidCursorForKey"];
            401: components["responses"]["ApiKeyInvalidForKey"];
            403: components["responses"]["PermissionDeniedOrFeatureNotEnabledForKey"];
            429: components["responses"]["RateLimitedForKey"];
            500: components["responses"]["InternalErrorForKey"];
            503: components["responses"]["ServiceUnavailableForKey"];
        };
    };
    getDelivery: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of an earlier response. While the content is unchanged, the response is 304 without a body */
                "If-None-Match"?: string;
            };
            path: {
                /** @description Id of the delivery */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Window": components["headers"]["X-RateLimit-Window"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "1789030800001000",
                     *         "endpointId": 1,
                     *         "eventId": "6f9f1f52-7f0c-4d5c-8f2f-9a0a5cbd41d6",
                     *         "eventType": "integration.ping",
                     *         "buyerSpaceId": null,
                     *         "callId": null,
                     *         "status": "dead",
                     *         "attempts": 1,
                     *         "nextAttemptAt": null,
                     *         "createdAt": "2026-09-10T09:02:11.406Z",
                     *         "deliveredAt": null,
                     *         "lastStatusCode": 503,
                     *         "lastError": "receiver responded with 503",
                     *         "dismissedAt": null,
                     *         "payload": {
                     *           "id": "6f9f1f52-7f0c-4d5c-8f2f-9a0a5cbd41d6",
                     *           "type": "integration.ping",
                     *           "apiVersion": "2026-09-01",
                     *           "createdAt": "2026-09-10T09:02:11.406Z",
                     *           "companyId": 1001,
                     *           "data": {
                     *             "endpointId": 1,
                     *             "message": "This is a test event, sent to check that this endpoint works."
                     *           }
                     *         },
                     *         "attemptLog": [
                     *           {
                     *             "number": 1,
                     *             "startedAt": "2026-09-10T09:02:11.409Z",
                     *             "durationMs": 38,
                     *             "statusCode": 503,
                     *             "error": "receiver responded with 503",
                     *             "responseExcerpt": "down for maintenance",
                     *             "retryAfterSeconds": 120,
                     *             "traceparent": "00-6f9f1f527f0c4d5c8f2f9a0a5cbd41d6-8d1c5a3b7e02f946-01"
                     *           }
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["WebhookDeliveryDetail"];
                    };
                };
            };
            304: components["responses"]["NotModifiedForKey"];
            401: components["responses"]["ApiKeyInvalidForKey"];
            403: components["responses"]["PermissionDeniedOrFeatureNotEnabledForKey"];
            404: components["responses"]["NotFoundForKey"];
            429: components["responses"]["RateLimitedForKey"];
            500: components["responses"]["InternalErrorForKey"];
            503: components["responses"]["ServiceUnavailableForKey"];
        };
    };
    listWebhooks: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of an earlier response. While the content is unchanged, the response is 304 without a body */
                "If-None-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Window": components["headers"]["X-RateLimit-Window"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": 1,
                     *           "url": "https://hooks.crm.example/deal-signals",
                     *           "description": "CRM",
                     *           "events": [
                     *             "*"
                     *           ],
                     *           "filter": null,
                     *           "enabled": true,
                     *           "disabledReason": null,
                     *           "createdAt": "2026-09-10T09:00:01.985Z",
                     *           "lastSuccessAt": null,
                     *           "lastErrorAt": null,
                     *           "lastError": null,
                     *           "consecutiveFailures": 0,
                     *           "awaitingVerification": false,
                     *           "headerNames": [],
                     *           "maxPerMinute": null,
                     *           "honorRetryAfter": false,
                     *           "previousSecretExpiresAt": null,
                     *           "apiKeyId": null
                     *         }
                     *       ],
                     *       "eventTypes": [
                     *         "engagement.recorded",
                     *         "call.summary.created",
                     *         "decision_room.updated",
                     *         "decision_room.esign.updated",
                     *         "decision_room.created",
                     *         "call.recorded",
                     *         "engagement.view.recorded",
                     *         "person.erased",
                     *         "room.erased",
                     *         "webhook.endpoint.disabled",
                     *         "integration.ping"
                     *       ]
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["WebhookEndpoint"][];
                        /** @description The event types an endpoint can subscribe to */
                        eventTypes: string[];
                    };
                };
            };
            304: components["responses"]["NotModifiedForSessionOrKey"];
            401: components["responses"]["SessionInvalidOrApiKeyInvalidForSessionOrKey"];
            403: components["responses"]["PermissionDeniedOrFeatureNotEnabledForSessionOrKey"];
            429: components["responses"]["RateLimitedForSessionOrKey"];
            500: components["responses"]["InternalErrorForSessionOrKey"];
            503: components["responses"]["ServiceUnavailableForSessionOrKey"];
        };
    };
    createWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "url": "https://hooks.crm.example/deal-signals",
                 *       "events": [
                 *         "*"
                 *       ],
                 *       "description": "CRM"
                 *     }
                 */
                "application/json": {
                    /** @description Absolute https URL of a public host, without credentials. Public IP addresses, and hosts that the operator exempts, are accepted in addition to what the pattern describes */
                    url: string;
                    /** @description Event types to send, or `*` for all present and future types */
                    events: ("engagement.recorded" | "call.summary.created" | "decision_room.updated" | "decision_room.esign.updated" | "decision_room.created" | "call.recorded" | "engagement.view.recorded" | "person.erased" | "room.erased" | "webhook.endpoint.disabled" | "integration.ping" | "*")[];
                    /** @description Which events to send, by their `data`: `{ "type": { "$eq": "doc_open" } }`, with nested objects for nested fields; null for all. At most 32 conditions, 5 levels and 4096 bytes. The guide on deliveries lists the operators */
                    filter?: {
                        [key: string]: unknown;
                    } | null;
                    /**
                     * @description Free text for your own use
                     * @default null
                     */
                    description?: string | null;
                    /** @description Headers to send with every request to the endpoint, by name: at most 10, of at most 8,192 characters together. Their values are never returned */
                    headers?: {
                        [key: string]: string;
                    };
                    /**
                     * @description Maximum number of deliveries that start in any minute, including retries; null for no such limit. Deliveries that exceed it stay due
                     * @default null
                     */
                    maxPerMinute?: number | null;
                    /**
                     * @description Whether to wait as long as the `Retry-After` of a 429 or 503 asks, if that is later than the schedule says; at most two hours later
                     * @default false
                     */
                    honorRetryAfter?: boolean;
                };
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Window": components["headers"]["X-RateLimit-Window"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "secret": "whsec_04ejDR90gMB0ypQXPgysLokdEb4o6h3IaAS+s1mrHOU=",
                     *       "data": {
                     *         "id": 1,
                     *         "url": "https://hooks.crm.example/deal-signals",
                     *         "description": "CRM",
                     *         "events": [
                     *           "*"
                     *         ],
                     *         "filter": null,
                     *         "enabled": true,
                     *         "disabledReason": null,
                     *         "createdAt": "2026-09-10T09:00:01.985Z",
                     *         "lastSuccessAt": null,
                     *         "lastErrorAt": null,
                     *         "lastError": null,
                     *         "consecutiveFailures": 0,
                     *         "awaitingVerification": false,
                     *         "headerNames": [],
                     *         "maxPerMinute": null,
                     *         "honorRetryAfter": false,
                     *         "previousSecretExpiresAt": null,
                     *         "apiKeyId": null
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @description The secret that signs deliveries. Store it securely: it cannot be shown again */
                        secret: string;
                        data: components["schemas"]["WebhookEndpoint"];
                    };
                };
            };
            400: components["responses"]["InvalidRequestForSessionOrKey"];
            401: components["responses"]["SessionInvalidOrApiKeyInvalidForSessionOrKey"];
            403: components["responses"]["PermissionDeniedOrFeatureNotEnabledForSessionOrKey"];
            409: components["responses"]["InvalidStateForSessionOrKey"];
            413: components["responses"]["PayloadTooLargeForSessionOrKey"];
            429: components["responses"]["RateLimitedForSessionOrKey"];
            500: components["responses"]["InternalErrorForSessionOrKey"];
            503: components["responses"]["ServiceUnavailableForSessionOrKey"];
        };
    };
    getWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of an earlier response. While the content is unchanged, the response is 304 without a body */
                "If-None-Match"?: string;
            };
            path: {
                /** @description Id of the object */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Window": components["headers"]["X-RateLimit-Window"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": 1,
                     *         "url": "https://hooks.crm.example/deal-signals",
                     *         "description": "CRM",
                     *         "events": [
                     *           "*"
                     *         ],
                     *         "filter": null,
                     *         "enabled": true,
                     *         "disabledReason": null,
                     *         "createdAt": "2026-09-10T09:00:01.985Z",
                     *         "lastSuccessAt": null,
                     *         "lastErrorAt": null,
                     *         "lastError": null,
                     *         "consecutiveFailures": 0,
                     *         "awaitingVerification": false,
                     *         "headerNames": [],
                     *         "maxPerMinute": null,
                     *         "honorRetryAfter": false,
                     *         "previousSecretExpiresAt": null,
                     *         "apiKeyId": null
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["WebhookEndpoint"];
                    };
                };
            };
            304: components["responses"]["NotModifiedForSessionOrKey"];
            401: components["responses"]["SessionInvalidOrApiKeyInvalidForSessionOrKey"];
            403: components["responses"]["PermissionDeniedOrFeatureNotEnabledForSessionOrKey"];
            404: components["responses"]["NotFoundForSessionOrKey"];
            429: components["responses"]["RateLimitedForSessionOrKey"];
            500: components["responses"]["InternalErrorForSessionOrKey"];
            503: components["responses"]["ServiceUnavailableForSessionOrKey"];
        };
    };
    removeWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the object */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success; the response has no body */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Window": components["headers"]["X-RateLimit-Window"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            401: components["responses"]["SessionInvalidOrApiKeyInvalidForSessionOrKey"];
            403: components["responses"]["PermissionDeniedOrFeatureNotEnabledForSessionOrKey"];
            404: components["responses"]["NotFoundForSessionOrKey"];
            429: components["responses"]["RateLimitedForSessionOrKey"];
            500: components["responses"]["InternalErrorForSessionOrKey"];
            503: components["responses"]["ServiceUnavailableForSessionOrKey"];
        };
    };
    pingWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the object */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Window": components["headers"]["X-RateLimit-Window"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "1789030800000000",
                     *         "endpointId": 1,
                     *         "eventId": "6c5ba4a4-90ff-4b44-8d52-06d1a4d0c0b8",
                     *         "eventType": "integration.ping",
                     *         "buyerSpaceId": null,
                     *         "callId": null,
                     *         "status": "delivered",
                     *         "attempts": 1,
                     *         "nextAttemptAt": null,
                     *         "createdAt": "2026-09-10T09:00:04.621Z",
                     *         "deliveredAt": "2026-09-10T09:00:04.930Z",
                     *         "lastStatusCode": 200,
                     *         "lastError": null,
                     *         "dismissedAt": null
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["WebhookDelivery"];
                    };
                };
            };
            401: components["responses"]["SessionInvalidOrApiKeyInvalidForSessionOrKey"];
            403: components["responses"]["PermissionDeniedOrFeatureNotEnabledForSessionOrKey"];
            404: components["responses"]["NotFoundForSessionOrKey"];
            409: components["responses"]["InvalidStateForSessionOrKey"];
            429: components["responses"]["RateLimitedForSessionOrKey"];
            500: components["responses"]["InternalErrorForSessionOrKey"];
            503: components["responses"]["ServiceUnavailableForSessionOrKey"];
        };
    };
    replayMissingEvents: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the object */
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "since": "2026-09-01T12:00:00.000Z",
                 *       "until": "2026-09-02T12:00:00.000Z"
                 *     }
                 */
                "application/json": {
                    /** @description Only what was recorded or changed at or after this time. It cannot be older than deliveries are kept */
                    since: string;
                    /** @description Only what was recorded or last changed before this time */
                    until?: string;
                    /** @description Only events of these types */
                    eventTypes?: ("engagement.recorded" | "call.summary.created" | "decision_room.updated" | "decision_room.esign.updated" | "decision_room.created" | "call.recorded" | "engagement.view.recorded" | "person.erased" | "room.erased")[];
                    /** @description The `nextSince` of the previous call, to continue there */
                    nextSince?: string;
                    /**
                     * @description Whether to count only, and queue nothing
                     * @default false
                     */
                    dryRun?: boolean;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Window": components["headers"]["X-RateLimit-Window"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "count": 7,
                     *       "hasMore": false,
                     *       "nextSince": null
                     *     }
                     */
                    "application/json": {
                        /** @description Number of new deliveries; with `dryRun`, of those that there would be */
                        count: number;
                        /** @description Whether to call again with `nextSince` */
                        hasMore: boolean;
                        /** @description Where the next call continues; null if nothing is left */
                        nextSince: components["schemas"]["DateTime"] | null;
                    };
                };
            };
            400: components["responses"]["InvalidRequestForSessionOrKey"];
            401: components["responses"]["SessionInvalidOrApiKeyInvalidForSessionOrKey"];
            403: components["responses"]["PermissionDeniedOrFeatureNotEnabledForSessionOrKey"];
            404: components["responses"]["NotFoundForSessionOrKey"];
            409: components["responses"]["InvalidStateForSessionOrKey"];
            413: components["responses"]["PayloadTooLargeForSessionOrKey"];
            429: components["responses"]["RateLimitedForSessionOrKey"];
            500: components["responses"]["InternalErrorForSessionOrKey"];
            503: components["responses"]["ServiceUnavailableForSessionOrKey"];
        };
    };
    onEngagementRecordedEvent: {
        parameters: {
            query?: never;
            header: {
                /** @description The event type */
                "X-Service-Event": "engagement.recorded";
                /** @description The `id` of the envelope */
                "X-Service-Event-Id": string;
                /** @description Id of the delivery to this endpoint, the same on every retry */
                "X-Service-Delivery": string;
                /** @description `t=<unix seconds>,v1=<hex HMAC-SHA256>`. The HMAC is computed over `<t>.<raw body>`, with the whole signing secret as the key. Allow 300 seconds of clock skew */
                "X-Service-Signature": string;
                /** @description The `id` of the envelope, for the libraries of Standard Webhooks */
                "webhook-id": string;
                /** @description The time of the attempt in Unix seconds, as `t` of `X-Service-Signature` */
                "webhook-timestamp": string;
                /** @description `v1,<base64 HMAC-SHA256>` of Standard Webhooks, with a second one after a space while a rotation of the secret overlaps. The HMAC is computed over `<webhook-id>.<webhook-timestamp>.<raw body>`. The key is what the text after `whsec_` stands for in base64 */
                "webhook-signature": string;
                /** @description W3C Trace Context. The trace id is that of the request that captured the event or, if that had none, the `id` of the envelope without hyphens. The parent id is that of the attempt or, if the service does not trace and the request was sampled, that of the request */
                traceparent: string;
                /** @description Identifies the sender */
                "User-Agent": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "bbd83a9f-de83-48b1-bdf7-d0887c1e4ace",
                 *       "type": "engagement.recorded",
                 *       "apiVersion": "2026-09-01",
                 *       "createdAt": "2026-09-10T09:00:04.621Z",
                 *       "companyId": 1001,
                 *       "data": {
                 *         "id": "1789030800000000",
                 *         "type": "trailer_view",
                 *         "occurredAt": "2026-09-02T08:30:00.000Z",
                 *         "actor": {
                 *           "name": "Piet Vos",
                 *           "email": "piet.vos@underhill-tools.example"
                 *         },
                 *         "personId": "ed63d46b-b543-8d6e-8716-2023164f0e0d",
                 *         "metadata": {
                 *           "device": "mobile"
                 *         },
                 *         "demoId": "77999ead-81a1-5af9-bad6-fcf85c3c5763",
                 *         "demoTitle": "Stock counts without paper",
                 *         "distributionId": "7a8f6bbe-7fde-5868-a773-eb85056fca65",
                 *         "forwardedFromDistributionId": "75ab4229-e29f-5724-9149-eeadb969b5bb",
                 *         "buyerSpaceId": "5ac0dea5-cb0b-56eb-97f0-b05dcb1655f6",
                 *         "buyerSpaceName": "Underhill Tools",
                 *         "owner": {
                 *           "id": 501,
                 *           "name": "Marta Eklund",
                 *           "email": "marta.eklund@lanternfell.example"
                 *         },
                 *         "docId": null
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["EngagementRecordedEvent"];
            };
        };
        responses: {
            /** @description Gone: the delivery becomes dead and the endpoint is disabled */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Received. Respond with 2xx to unknown event types too */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The attempt failed */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The attempt failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onCallSummaryCreatedEvent: {
        parameters: {
            query?: never;
            header: {
                /** @description The event type */
                "X-Service-Event": "call.summary.created";
                /** @description The `id` of the envelope */
                "X-Service-Event-Id": string;
                /** @description Id of the delivery to this endpoint, the same on every retry */
                "X-Service-Delivery": string;
                /** @description `t=<unix seconds>,v1=<hex HMAC-SHA256>`. The HMAC is computed over `<t>.<raw body>`, with the whole signing secret as the key. Allow 300 seconds of clock skew */
                "X-Service-Signature": string;
                /** @description The `id` of the envelope, for the libraries of Standard Webhooks */
                "webhook-id": string;
                /** @description The time of the attempt in Unix seconds, as `t` of `X-Service-Signature` */
                "webhook-timestamp": string;
                /** @description `v1,<base64 HMAC-SHA256>` of Standard Webhooks, with a second one after a space while a rotation of the secret overlaps. The HMAC is computed over `<webhook-id>.<webhook-timestamp>.<raw body>`. The key is what the text after `whsec_` stands for in base64 */
                "webhook-signature": string;
                /** @description W3C Trace Context. The trace id is that of the request that captured the event or, if that had none, the `id` of the envelope without hyphens. The parent id is that of the attempt or, if the service does not trace and the request was sampled, that of the request */
                traceparent: string;
                /** @description Identifies the sender */
                "User-Agent": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "bbd83a9f-de83-48b1-bdf7-d0887c1e4ace",
                 *       "type": "call.summary.created",
                 *       "apiVersion": "2026-09-01",
                 *       "createdAt": "2026-09-10T09:00:04.621Z",
                 *       "companyId": 1001,
                 *       "data": {
                 *         "id": "77999ead-81a1-5af9-bad6-fcf85c3c5763",
                 *         "kind": "demo",
                 *         "status": "completed",
                 *         "occurredAt": "2026-09-01T12:00:00.000Z",
                 *         "updatedAt": "2026-09-10T09:00:01.066Z",
                 *         "completedAt": "2026-09-01T12:00:26.000Z",
                 *         "owner": {
                 *           "id": 501,
                 *           "name": "Marta Eklund",
                 *           "email": "marta.eklund@lanternfell.example"
                 *         },
                 *         "participants": [
                 *           {
                 *             "name": "Marta Eklund",
                 *             "role": null,
                 *             "email": "marta.eklund@lanternfell.example",
                 *             "isHost": true,
                 *             "sources": [
                 *               "calendar",
                 *               "transcript"
                 *             ],
                 *             "isInternal": true,
                 *             "talkPercent": 62.5,
                 *             "talkSeconds": 15
                 *           },
                 *           {
                 *             "name": "Giulia Tremblay",
                 *             "role": "Head of Operations",
                 *             "email": "giulia.tremblay@underhill-tools.example",
                 *             "isHost": false,
                 *             "sources": [
                 *               "transcript"
                 *             ],
                 *             "isInternal": false,
                 *             "talkPercent": 37.5,
                 *             "talkSeconds": 9
                 *           }
                 *         ],
                 *         "hasSummary": true,
                 *         "title": "Stock counts without paper",
                 *         "prospectName": "Underhill Tools",
                 *         "durationSeconds": 24,
                 *         "buyerSpaceId": "5ac0dea5-cb0b-56eb-97f0-b05dcb1655f6",
                 *         "talkTime": {
                 *           "source": "transcript",
                 *           "totalSpeakerSeconds": 24
                 *         },
                 *         "summary": {
                 *           "schema": "demo",
                 *           "topics": [
                 *             {
                 *               "label": "Counting today",
                 *               "summary": "Two people with clipboards, typed in the next day",
                 *               "endSeconds": 10,
                 *               "startSeconds": 0
                 *             }
                 *           ],
                 *           "company": "Underhill Tools",
                 *           "headline": "Wants weekly stock counts off paper before the winter season",
                 *           "timeline": "Live in two shops by January",
                 *           "decisions": [],
                 *           "nextSteps": [
                 *             "Send the rollout plan"
                 *           ],
                 *           "painPoints": [
                 *             "Counts are typed in twice"
                 *           ],
                 *           "actionItems": [],
                 *           "currentState": [],
                 *           "keyTakeaways": [
                 *             "Counts take two evenings a week today"
                 *           ],
                 *           "participants": [
                 *             "Marta Eklund",
                 *             "Giulia Tremblay"
                 *           ],
                 *           "budgetSignals": "Budget for this year is approved",
                 *           "openQuestions": [],
                 *           "desiredOutcomes": [],
                 *           "decisionCriteria": [],
                 *           "verdictReasoning": null,
                 *           "contextForNextCall": "Bring the rollout plan for the second shop",
                 *           "qualificationVerdict": null
                 *         },
                 *         "deal": {
                 *           "status": "open",
                 *           "valueCents": 5200000
                 *         },
                 *         "disqualifiedAt": null,
                 *         "disqualifiedReason": null
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["CallSummaryCreatedEvent"];
            };
        };
        responses: {
            /** @description Gone: the delivery becomes dead and the endpoint is disabled */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Received. Respond with 2xx to unknown event types too */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The attempt failed */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The attempt failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onDecisionRoomUpdatedEvent: {
        parameters: {
            query?: never;
            header: {
                /** @description The event type */
                "X-Service-Event": "decision_room.updated";
                /** @description The `id` of the envelope */
                "X-Service-Event-Id": string;
                /** @description Id of the delivery to this endpoint, the same on every retry */
                "X-Service-Delivery": string;
                /** @description `t=<unix seconds>,v1=<hex HMAC-SHA256>`. The HMAC is computed over `<t>.<raw body>`, with the whole signing secret as the key. Allow 300 seconds of clock skew */
                "X-Service-Signature": string;
                /** @description The `id` of the envelope, for the libraries of Standard Webhooks */
                "webhook-id": string;
                /** @description The time of the attempt in Unix seconds, as `t` of `X-Service-Signature` */
                "webhook-timestamp": string;
                /** @description `v1,<base64 HMAC-SHA256>` of Standard Webhooks, with a second one after a space while a rotation of the secret overlaps. The HMAC is computed over `<webhook-id>.<webhook-timestamp>.<raw body>`. The key is what the text after `whsec_` stands for in base64 */
                "webhook-signature": string;
                /** @description W3C Trace Context. The trace id is that of the request that captured the event or, if that had none, the `id` of the envelope without hyphens. The parent id is that of the attempt or, if the service does not trace and the request was sampled, that of the request */
                traceparent: string;
                /** @description Identifies the sender */
                "User-Agent": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "bbd83a9f-de83-48b1-bdf7-d0887c1e4ace",
                 *       "type": "decision_room.updated",
                 *       "apiVersion": "2026-09-01",
                 *       "createdAt": "2026-09-10T09:00:04.621Z",
                 *       "companyId": 1001,
                 *       "data": {
                 *         "id": "5ac0dea5-cb0b-56eb-97f0-b05dcb1655f6",
                 *         "name": "Underhill Tools",
                 *         "slug": "underhill-tools",
                 *         "status": "open",
                 *         "owner": {
                 *           "id": 501,
                 *           "name": "Marta Eklund",
                 *           "email": "marta.eklund@lanternfell.example"
                 *         },
                 *         "primaryContactEmail": "giulia.tremblay@underhill-tools.example",
                 *         "expectedCloseDate": "2026-12-18",
                 *         "dealValueCents": 5200000,
                 *         "sourceCallId": null,
                 *         "createdAt": "2026-09-01T14:02:11.000Z",
                 *         "lastActivityAt": "2026-09-10T09:00:01.790Z",
                 *         "lastEngagementAt": "2026-09-08T15:23:05.000Z",
                 *         "closedAt": null
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["DecisionRoomUpdatedEvent"];
            };
        };
        responses: {
            /** @description Gone: the delivery becomes dead and the endpoint is disabled */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Received. Respond with 2xx to unknown event types too */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The attempt failed */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The attempt failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onDecisionRoomEsignUpdatedEvent: {
        parameters: {
            query?: never;
            header: {
                /** @description The event type */
                "X-Service-Event": "decision_room.esign.updated";
                /** @description The `id` of the envelope */
                "X-Service-Event-Id": string;
                /** @description Id of the delivery to this endpoint, the same on every retry */
                "X-Service-Delivery": string;
                /** @description `t=<unix seconds>,v1=<hex HMAC-SHA256>`. The HMAC is computed over `<t>.<raw body>`, with the whole signing secret as the key. Allow 300 seconds of clock skew */
                "X-Service-Signature": string;
                /** @description The `id` of the envelope, for the libraries of Standard Webhooks */
                "webhook-id": string;
                /** @description The time of the attempt in Unix seconds, as `t` of `X-Service-Signature` */
                "webhook-timestamp": string;
                /** @description `v1,<base64 HMAC-SHA256>` of Standard Webhooks, with a second one after a space while a rotation of the secret overlaps. The HMAC is computed over `<webhook-id>.<webhook-timestamp>.<raw body>`. The key is what the text after `whsec_` stands for in base64 */
                "webhook-signature": string;
                /** @description W3C Trace Context. The trace id is that of the request that captured the event or, if that had none, the `id` of the envelope without hyphens. The parent id is that of the attempt or, if the service does not trace and the request was sampled, that of the request */
                traceparent: string;
                /** @description Identifies the sender */
                "User-Agent": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "bbd83a9f-de83-48b1-bdf7-d0887c1e4ace",
                 *       "type": "decision_room.esign.updated",
                 *       "apiVersion": "2026-09-01",
                 *       "createdAt": "2026-09-10T09:00:04.621Z",
                 *       "companyId": 1001,
                 *       "data": {
                 *         "buyerSpaceId": "5ac0dea5-cb0b-56eb-97f0-b05dcb1655f6",
                 *         "document": {
                 *           "id": "agr_20931",
                 *           "buyerSpaceId": "5ac0dea5-cb0b-56eb-97f0-b05dcb1655f6",
                 *           "vendor": "penandink",
                 *           "envelopeId": "env_7c41",
                 *           "subject": "Order form",
                 *           "status": "viewed",
                 *           "recipientCount": 2,
                 *           "sentAt": "2026-09-08T10:00:00.000Z",
                 *           "firstViewedAt": "2026-09-08T11:45:00.000Z",
                 *           "lastEventAt": "2026-09-08T11:45:00.000Z",
                 *           "completedAt": null,
                 *           "declinedAt": null,
                 *           "updatedAt": "2026-09-10T09:00:01.790Z"
                 *         }
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["DecisionRoomEsignUpdatedEvent"];
            };
        };
        responses: {
            /** @description Gone: the delivery becomes dead and the endpoint is disabled */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Received. Respond with 2xx to unknown event types too */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The attempt failed */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The attempt failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onDecisionRoomCreatedEvent: {
        parameters: {
            query?: never;
            header: {
                /** @description The event type */
                "X-Service-Event": "decision_room.created";
                /** @description The `id` of the envelope */
                "X-Service-Event-Id": string;
                /** @description Id of the delivery to this endpoint, the same on every retry */
                "X-Service-Delivery": string;
                /** @description `t=<unix seconds>,v1=<hex HMAC-SHA256>`. The HMAC is computed over `<t>.<raw body>`, with the whole signing secret as the key. Allow 300 seconds of clock skew */
                "X-Service-Signature": string;
                /** @description The `id` of the envelope, for the libraries of Standard Webhooks */
                "webhook-id": string;
                /** @description The time of the attempt in Unix seconds, as `t` of `X-Service-Signature` */
                "webhook-timestamp": string;
                /** @description `v1,<base64 HMAC-SHA256>` of Standard Webhooks, with a second one after a space while a rotation of the secret overlaps. The HMAC is computed over `<webhook-id>.<webhook-timestamp>.<raw body>`. The key is what the text after `whsec_` stands for in base64 */
                "webhook-signature": string;
                /** @description W3C Trace Context. The trace id is that of the request that captured the event or, if that had none, the `id` of the envelope without hyphens. The parent id is that of the attempt or, if the service does not trace and the request was sampled, that of the request */
                traceparent: string;
                /** @description Identifies the sender */
                "User-Agent": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "bbd83a9f-de83-48b1-bdf7-d0887c1e4ace",
                 *       "type": "decision_room.created",
                 *       "apiVersion": "2026-09-01",
                 *       "createdAt": "2026-09-10T09:00:04.621Z",
                 *       "companyId": 1001,
                 *       "data": {
                 *         "id": "5ac0dea5-cb0b-56eb-97f0-b05dcb1655f6",
                 *         "name": "Underhill Tools",
                 *         "slug": "underhill-tools",
                 *         "status": "open",
                 *         "owner": {
                 *           "id": 501,
                 *           "name": "Marta Eklund",
                 *           "email": "marta.eklund@lanternfell.example"
                 *         },
                 *         "primaryContactEmail": "giulia.tremblay@underhill-tools.example",
                 *         "expectedCloseDate": "2026-12-18",
                 *         "dealValueCents": 5200000,
                 *         "sourceCallId": null,
                 *         "createdAt": "2026-09-01T14:02:11.000Z",
                 *         "lastActivityAt": "2026-09-10T09:00:01.790Z",
                 *         "lastEngagementAt": "2026-09-08T15:23:05.000Z",
                 *         "closedAt": null
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["DecisionRoomCreatedEvent"];
            };
        };
        responses: {
            /** @description Gone: the delivery becomes dead and the endpoint is disabled */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Received. Respond with 2xx to unknown event types too */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The attempt failed */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The attempt failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onCallRecordedEvent: {
        parameters: {
            query?: never;
            header: {
                /** @description The event type */
                "X-Service-Event": "call.recorded";
                /** @description The `id` of the envelope */
                "X-Service-Event-Id": string;
                /** @description Id of the delivery to this endpoint, the same on every retry */
                "X-Service-Delivery": string;
                /** @description `t=<unix seconds>,v1=<hex HMAC-SHA256>`. The HMAC is computed over `<t>.<raw body>`, with the whole signing secret as the key. Allow 300 seconds of clock skew */
                "X-Service-Signature": string;
                /** @description The `id` of the envelope, for the libraries of Standard Webhooks */
                "webhook-id": string;
                /** @description The time of the attempt in Unix seconds, as `t` of `X-Service-Signature` */
                "webhook-timestamp": string;
                /** @description `v1,<base64 HMAC-SHA256>` of Standard Webhooks, with a second one after a space while a rotation of the secret overlaps. The HMAC is computed over `<webhook-id>.<webhook-timestamp>.<raw body>`. The key is what the text after `whsec_` stands for in base64 */
                "webhook-signature": string;
                /** @description W3C Trace Context. The trace id is that of the request that captured the event or, if that had none, the `id` of the envelope without hyphens. The parent id is that of the attempt or, if the service does not trace and the request was sampled, that of the request */
                traceparent: string;
                /** @description Identifies the sender */
                "User-Agent": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "bbd83a9f-de83-48b1-bdf7-d0887c1e4ace",
                 *       "type": "call.recorded",
                 *       "apiVersion": "2026-09-01",
                 *       "createdAt": "2026-09-10T09:00:04.621Z",
                 *       "companyId": 1001,
                 *       "data": {
                 *         "id": "77999ead-81a1-5af9-bad6-fcf85c3c5763",
                 *         "kind": "demo",
                 *         "status": "completed",
                 *         "occurredAt": "2026-09-01T12:00:00.000Z",
                 *         "updatedAt": "2026-09-10T09:00:01.066Z",
                 *         "completedAt": "2026-09-01T12:00:26.000Z",
                 *         "owner": {
                 *           "id": 501,
                 *           "name": "Marta Eklund",
                 *           "email": "marta.eklund@lanternfell.example"
                 *         },
                 *         "participants": [
                 *           {
                 *             "name": "Marta Eklund",
                 *             "role": null,
                 *             "email": "marta.eklund@lanternfell.example",
                 *             "isHost": true,
                 *             "sources": [
                 *               "calendar",
                 *               "transcript"
                 *             ],
                 *             "isInternal": true,
                 *             "talkPercent": 62.5,
                 *             "talkSeconds": 15
                 *           },
                 *           {
                 *             "name": "Giulia Tremblay",
                 *             "role": "Head of Operations",
                 *             "email": "giulia.tremblay@underhill-tools.example",
                 *             "isHost": false,
                 *             "sources": [
                 *               "transcript"
                 *             ],
                 *             "isInternal": false,
                 *             "talkPercent": 37.5,
                 *             "talkSeconds": 9
                 *           }
                 *         ],
                 *         "hasSummary": false,
                 *         "title": "Stock counts without paper",
                 *         "prospectName": "Underhill Tools",
                 *         "durationSeconds": 24,
                 *         "buyerSpaceId": "5ac0dea5-cb0b-56eb-97f0-b05dcb1655f6",
                 *         "talkTime": {
                 *           "source": "transcript",
                 *           "totalSpeakerSeconds": 24
                 *         },
                 *         "summary": null,
                 *         "deal": {
                 *           "status": "open",
                 *           "valueCents": 5200000
                 *         },
                 *         "disqualifiedAt": null,
                 *         "disqualifiedReason": null
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["CallRecordedEvent"];
            };
        };
        responses: {
            /** @description Gone: the delivery becomes dead and the endpoint is disabled */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Received. Respond with 2xx to unknown event types too */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The attempt failed */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The attempt failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onEngagementViewRecordedEvent: {
        parameters: {
            query?: never;
            header: {
                /** @description The event type */
                "X-Service-Event": "engagement.view.recorded";
                /** @description The `id` of the envelope */
                "X-Service-Event-Id": string;
                /** @description Id of the delivery to this endpoint, the same on every retry */
                "X-Service-Delivery": string;
                /** @description `t=<unix seconds>,v1=<hex HMAC-SHA256>`. The HMAC is computed over `<t>.<raw body>`, with the whole signing secret as the key. Allow 300 seconds of clock skew */
                "X-Service-Signature": string;
                /** @description The `id` of the envelope, for the libraries of Standard Webhooks */
                "webhook-id": string;
                /** @description The time of the attempt in Unix seconds, as `t` of `X-Service-Signature` */
                "webhook-timestamp": string;
                /** @description `v1,<base64 HMAC-SHA256>` of Standard Webhooks, with a second one after a space while a rotation of the secret overlaps. The HMAC is computed over `<webhook-id>.<webhook-timestamp>.<raw body>`. The key is what the text after `whsec_` stands for in base64 */
                "webhook-signature": string;
                /** @description W3C Trace Context. The trace id is that of the request that captured the event or, if that had none, the `id` of the envelope without hyphens. The parent id is that of the attempt or, if the service does not trace and the request was sampled, that of the request */
                traceparent: string;
                /** @description Identifies the sender */
                "User-Agent": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "bbd83a9f-de83-48b1-bdf7-d0887c1e4ace",
                 *       "type": "engagement.view.recorded",
                 *       "apiVersion": "2026-09-01",
                 *       "createdAt": "2026-09-10T09:00:04.621Z",
                 *       "companyId": 1001,
                 *       "data": {
                 *         "id": "1789030800000000",
                 *         "kind": "trailer",
                 *         "startedAt": "2026-09-02T07:00:00.000Z",
                 *         "endedAt": "2026-09-02T07:00:30.000Z",
                 *         "actor": {
                 *           "name": "Giulia Tremblay",
                 *           "email": "giulia.tremblay@underhill-tools.example"
                 *         },
                 *         "personId": "2d24ed30-b09c-8d5b-bd5d-4b58d1f29b6d",
                 *         "distributionId": "75ab4229-e29f-5724-9149-eeadb969b5bb",
                 *         "forwardedFromDistributionId": null,
                 *         "demoId": "77999ead-81a1-5af9-bad6-fcf85c3c5763",
                 *         "demoTitle": "Stock counts without paper",
                 *         "docId": null,
                 *         "buyerSpaceId": "5ac0dea5-cb0b-56eb-97f0-b05dcb1655f6",
                 *         "buyerSpaceName": "Underhill Tools",
                 *         "owner": {
                 *           "id": 501,
                 *           "name": "Marta Eklund",
                 *           "email": "marta.eklund@lanternfell.example"
                 *         },
                 *         "watchSeconds": 24,
                 *         "uniqueSeconds": 18,
                 *         "durationSeconds": 24,
                 *         "completionPercent": 75,
                 *         "segments": [
                 *           {
                 *             "startSeconds": 0,
                 *             "endSeconds": 18
                 *           },
                 *           {
                 *             "startSeconds": 6,
                 *             "endSeconds": 12
                 *           }
                 *         ]
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["EngagementViewRecordedEvent"];
            };
        };
        responses: {
            /** @description Gone: the delivery becomes dead and the endpoint is disabled */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Received. Respond with 2xx to unknown event types too */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The attempt failed */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The attempt failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onPersonErasedEvent: {
        parameters: {
            query?: never;
            header: {
                /** @description The event type */
                "X-Service-Event": "person.erased";
                /** @description The `id` of the envelope */
                "X-Service-Event-Id": string;
                /** @description Id of the delivery to this endpoint, the same on every retry */
                "X-Service-Delivery": string;
                /** @description `t=<unix seconds>,v1=<hex HMAC-SHA256>`. The HMAC is computed over `<t>.<raw body>`, with the whole signing secret as the key. Allow 300 seconds of clock skew */
                "X-Service-Signature": string;
                /** @description The `id` of the envelope, for the libraries of Standard Webhooks */
                "webhook-id": string;
                /** @description The time of the attempt in Unix seconds, as `t` of `X-Service-Signature` */
                "webhook-timestamp": string;
                /** @description `v1,<base64 HMAC-SHA256>` of Standard Webhooks, with a second one after a space while a rotation of the secret overlaps. The HMAC is computed over `<webhook-id>.<webhook-timestamp>.<raw body>`. The key is what the text after `whsec_` stands for in base64 */
                "webhook-signature": string;
                /** @description W3C Trace Context. The trace id is that of the request that captured the event or, if that had none, the `id` of the envelope without hyphens. The parent id is that of the attempt or, if the service does not trace and the request was sampled, that of the request */
                traceparent: string;
                /** @description Identifies the sender */
                "User-Agent": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "bbd83a9f-de83-48b1-bdf7-d0887c1e4ace",
                 *       "type": "person.erased",
                 *       "apiVersion": "2026-09-01",
                 *       "createdAt": "2026-09-10T09:00:04.621Z",
                 *       "companyId": 1001,
                 *       "data": {
                 *         "id": "0d3f6c5a-7a0e-4f0e-9a51-6e1c0c1d7b2f",
                 *         "erasureId": "0d3f6c5a-7a0e-4f0e-9a51-6e1c0c1d7b2f",
                 *         "kind": "person",
                 *         "buyerSpaceId": null,
                 *         "emailSha256": "e437fe5808d46b3f9bd00bce106219f75e7f67b77fedc092e32b5770cb98fac2",
                 *         "personIds": [
                 *           "181fcc65-9503-8fe7-8e37-4964ff91f005"
                 *         ],
                 *         "distributionIds": [
                 *           "75ab4229-e29f-5724-9149-eeadb969b5bb"
                 *         ],
                 *         "engagementEventIds": [
                 *           "1789030800000000"
                 *         ],
                 *         "engagementViewIds": [],
                 *         "engagementBefore": null,
                 *         "erasedAt": "2026-09-12T08:00:04.120Z"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["PersonErasedEvent"];
            };
        };
        responses: {
            /** @description Gone: the delivery becomes dead and the endpoint is disabled */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Received. Respond with 2xx to unknown event types too */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The attempt failed */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The attempt failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onRoomErasedEvent: {
        parameters: {
            query?: never;
            header: {
                /** @description The event type */
                "X-Service-Event": "room.erased";
                /** @description The `id` of the envelope */
                "X-Service-Event-Id": string;
                /** @description Id of the delivery to this endpoint, the same on every retry */
                "X-Service-Delivery": string;
                /** @description `t=<unix seconds>,v1=<hex HMAC-SHA256>`. The HMAC is computed over `<t>.<raw body>`, with the whole signing secret as the key. Allow 300 seconds of clock skew */
                "X-Service-Signature": string;
                /** @description The `id` of the envelope, for the libraries of Standard Webhooks */
                "webhook-id": string;
                /** @description The time of the attempt in Unix seconds, as `t` of `X-Service-Signature` */
                "webhook-timestamp": string;
                /** @description `v1,<base64 HMAC-SHA256>` of Standard Webhooks, with a second one after a space while a rotation of the secret overlaps. The HMAC is computed over `<webhook-id>.<webhook-timestamp>.<raw body>`. The key is what the text after `whsec_` stands for in base64 */
                "webhook-signature": string;
                /** @description W3C Trace Context. The trace id is that of the request that captured the event or, if that had none, the `id` of the envelope without hyphens. The parent id is that of the attempt or, if the service does not trace and the request was sampled, that of the request */
                traceparent: string;
                /** @description Identifies the sender */
                "User-Agent": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "bbd83a9f-de83-48b1-bdf7-d0887c1e4ace",
                 *       "type": "room.erased",
                 *       "apiVersion": "2026-09-01",
                 *       "createdAt": "2026-09-10T09:00:04.621Z",
                 *       "companyId": 1001,
                 *       "data": {
                 *         "id": "5b8d1f0c-3a55-4d6f-8f0f-2c9f7f1e6a11",
                 *         "erasureId": "5b8d1f0c-3a55-4d6f-8f0f-2c9f7f1e6a11",
                 *         "kind": "room",
                 *         "buyerSpaceId": "5ac0dea5-cb0b-56eb-97f0-b05dcb1655f6",
                 *         "emailSha256": null,
                 *         "personIds": [
                 *           "181fcc65-9503-8fe7-8e37-4964ff91f005"
                 *         ],
                 *         "distributionIds": [
                 *           "75ab4229-e29f-5724-9149-eeadb969b5bb"
                 *         ],
                 *         "engagementEventIds": [],
                 *         "engagementViewIds": [],
                 *         "engagementBefore": "1789200004120000",
                 *         "erasedAt": "2026-09-12T08:00:04.120Z"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["RoomErasedEvent"];
            };
        };
        responses: {
            /** @description Gone: the delivery becomes dead and the endpoint is disabled */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Received. Respond with 2xx to unknown event types too */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The attempt failed */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The attempt failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onWebhookEndpointDisabledEvent: {
        parameters: {
            query?: never;
            header: {
                /** @description The event type */
                "X-Service-Event": "webhook.endpoint.disabled";
                /** @description The `id` of the envelope */
                "X-Service-Event-Id": string;
                /** @description Id of the delivery to this endpoint, the same on every retry */
                "X-Service-Delivery": string;
                /** @description `t=<unix seconds>,v1=<hex HMAC-SHA256>`. The HMAC is computed over `<t>.<raw body>`, with the whole signing secret as the key. Allow 300 seconds of clock skew */
                "X-Service-Signature": string;
                /** @description The `id` of the envelope, for the libraries of Standard Webhooks */
                "webhook-id": string;
                /** @description The time of the attempt in Unix seconds, as `t` of `X-Service-Signature` */
                "webhook-timestamp": string;
                /** @description `v1,<base64 HMAC-SHA256>` of Standard Webhooks, with a second one after a space while a rotation of the secret overlaps. The HMAC is computed over `<webhook-id>.<webhook-timestamp>.<raw body>`. The key is what the text after `whsec_` stands for in base64 */
                "webhook-signature": string;
                /** @description W3C Trace Context. The trace id is that of the request that captured the event or, if that had none, the `id` of the envelope without hyphens. The parent id is that of the attempt or, if the service does not trace and the request was sampled, that of the request */
                traceparent: string;
                /** @description Identifies the sender */
                "User-Agent": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "bbd83a9f-de83-48b1-bdf7-d0887c1e4ace",
                 *       "type": "webhook.endpoint.disabled",
                 *       "apiVersion": "2026-09-01",
                 *       "createdAt": "2026-09-10T09:00:04.621Z",
                 *       "companyId": 1001,
                 *       "data": {
                 *         "endpointId": 2,
                 *         "host": "hooks.warehouse.example",
                 *         "reason": "failures",
                 *         "disabledReason": "20 consecutive failed attempts",
                 *         "disabledAt": "2026-09-10T09:00:04.621Z",
                 *         "consecutiveFailures": 20
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["WebhookEndpointDisabledEvent"];
            };
        };
        responses: {
            /** @description Gone: the delivery becomes dead and the endpoint is disabled */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Received. Respond with 2xx to unknown event types too */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The attempt failed */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The attempt failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onIntegrationPingEvent: {
        parameters: {
            query?: never;
            header: {
                /** @description The event type */
                "X-Service-Event": "integration.ping";
                /** @description The `id` of the envelope */
                "X-Service-Event-Id": string;
                /** @description Id of the delivery to this endpoint, the same on every retry */
                "X-Service-Delivery": string;
                /** @description `t=<unix seconds>,v1=<hex HMAC-SHA256>`. The HMAC is computed over `<t>.<raw body>`, with the whole signing secret as the key. Allow 300 seconds of clock skew */
                "X-Service-Signature": string;
                /** @description The `id` of the envelope, for the libraries of Standard Webhooks */
                "webhook-id": string;
                /** @description The time of the attempt in Unix seconds, as `t` of `X-Service-Signature` */
                "webhook-timestamp": string;
                /** @description `v1,<base64 HMAC-SHA256>` of Standard Webhooks, with a second one after a space while a rotation of the secret overlaps. The HMAC is computed over `<webhook-id>.<webhook-timestamp>.<raw body>`. The key is what the text after `whsec_` stands for in base64 */
                "webhook-signature": string;
                /** @description W3C Trace Context. The trace id is that of the request that captured the event or, if that had none, the `id` of the envelope without hyphens. The parent id is that of the attempt or, if the service does not trace and the request was sampled, that of the request */
                traceparent: string;
                /** @description Identifies the sender */
                "User-Agent": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "bbd83a9f-de83-48b1-bdf7-d0887c1e4ace",
                 *       "type": "integration.ping",
                 *       "apiVersion": "2026-09-01",
                 *       "createdAt": "2026-09-10T09:00:04.621Z",
                 *       "companyId": 1001,
                 *       "data": {
                 *         "endpointId": 1,
                 *         "message": "This is a test event, sent to check that this endpoint works."
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["IntegrationPingEvent"];
            };
        };
        responses: {
            /** @description Gone: the delivery becomes dead and the endpoint is disabled */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Received. Respond with 2xx to unknown event types too */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The attempt failed */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The attempt failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
}
