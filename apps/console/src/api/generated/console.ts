// Generated from the OpenAPI description of the API by `pnpm generate`. Do not edit.

export interface paths {
    "/session": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the session
         * @description Returns the user and the workspace of the session, whether the session may manage integrations, and when it ends. No permission is needed.
         */
        get: operations["getSession"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/overview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the overview
         * @description Returns the state of the workspace's webhooks as the status shows it, the delivery that has been due longest, the dead deliveries of each endpoint, and what needs an admin's attention. Counts have a maximum, and are marked when they reach it.
         */
        get: operations["getOverview"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/delivery-counts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Count attempts over time
         * @description Returns the number of attempts by outcome in each bucket of a period that ends now, for the workspace or for one endpoint. An attempt counts at the time when it began. Test events are not counted. The counts of the workspace include those of removed endpoints.
         */
        get: operations["getDeliveryCounts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/endpoint-health": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the health of all endpoints
         * @description Returns for each webhook endpoint of the workspace the number of attempts by outcome, over a period that ends now, and the number of waiting and dead deliveries. Removed endpoints are left out. Test events are not counted among the attempts.
         */
        get: operations["listEndpointHealth"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dead-letters": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Group dead deliveries by endpoint and error
         * @description Returns the dead deliveries that have not been dismissed, grouped by endpoint and error. Test events and deliveries of removed endpoints are left out.
         */
        get: operations["listDeadLetters"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dead-letters/count": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Count what a retry or a dismissal would move
         * @description Counts the dead deliveries of an endpoint that `retryDeadDeliveries` and `dismissDeadDeliveries` would move with the same `since`, `before` and `error`, over all calls together. It counts up to 50,000. The count is 0 if the endpoint was removed or does not exist.
         */
        get: operations["countDeadDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api-key-usage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Count the requests of API keys by day
         * @description Returns the number of requests with each API key on each day in UTC, regardless of the response, and how many of them got a 403 or a 429. Unused keys are left out. The counts may be up to a minute old.
         */
        get: operations["listKeyUsage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Find rooms, calls and people by name, and anything by its id
         * @description Finds rooms by name, calls by title or prospect, and people by name or address. Words match in any order, ignoring case and accents. Three or more letters match anywhere in a word, fewer letters match the beginning of a word. A UUID, which may be part of a pasted text, finds the room, call, person, share link or event with that id; a number finds the endpoint or delivery. The best matches come first: whole words before beginnings before other parts, rooms before calls before people, then the newest. If a search has only very common words, some matches may be missing.
         */
        get: operations["search"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/why": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Explain what endpoints received, and what they did not
         * @description Explains for each endpoint of the workspace what it was sent about a room, a call or an event, and why it was not sent the rest. Returns verdicts with their facts, and the deliveries and changes that prove them. Exactly one of `buyer_space_id`, `call_id`, `event_id` and `delivery_id` is required. An event is only written while an endpoint subscribes to it, so other occurrences are taken from the stored rows. Where these are not sufficient, the verdict is `unknown`, or `isCertain` is false. At most 1,000 deliveries, engagement events and views are examined, newest first.
         */
        get: operations["whyDidItNotCome"];
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
         * @description Returns the calls of the workspace, in the order they last changed or, with `order=desc`, in the reverse order. With `order=desc`, a call that changes moves to the beginning, so pages that follow an earlier cursor do not return it again.
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
        /** Get a call */
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
         * @description Returns what prospects did, in the order it was recorded or, with `order=desc`, in the reverse order. `since` requires ascending order: an event may be recorded long after it occurred, so in descending order, an event before `since` does not mean that all later results are older.
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
         * Returns the rooms of the workspace with their engagement scores, in the order of `lastActivityAt` or, with `order=desc`, in the reverse order. With `order=desc`, a room with new activity moves to the beginning, so pages that follow an earlier cursor do not return it again.
         * @description Returns the rooms of the workspace with their engagement scores, in the order of `lastActivityAt` or, with `order=desc`, in the reverse order. Newest first, a room with new activity moves to the beginning: a walk that has begun does not return it again.
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
        /** Get a Decision Room */
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
        /** Get a person */
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
        /** Get a document */
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
        /** Get a contract */
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
        /** Get a share link */
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
    "/webhook-deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List webhook deliveries
         * @description Returns the delivery log of the workspace. The order is that in which the deliveries were created or, with `order=desc`, the reverse. Each delivery appears once. To follow the log after you have read it newest first, continue in ascending order with the id of the newest delivery as `cursor`.
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
         * @description Returns the delivery, the payload that every attempt sends, and the outcome of each attempt so far.
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
    "/erasures": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the latest erasures
         * @description Returns the erasures in progress, then those that are done, newest first, at most 100.
         */
        get: operations["listLatestErasures"];
        put?: never;
        /**
         * Erase a person or a room
         * @description Erases a person in the whole workspace, or all names and quotations in a room. It cannot be undone. The people and their share links are erased immediately, or within seconds if there are many. Earlier records are searched in the background, which takes seconds to minutes. A workspace may have 10 erasures in progress. When everything is done, the erasure is in the feed `GET /api/v1/erasures` with this `id`, and the event `person.erased` or `room.erased` is sent. Counts and other numbers stay.
         */
        post: operations["createErasure"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/erasures/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Count what an erasure would change
         * @description Counts what `createErasure` with the same body would erase, and changes nothing. The count takes at most 8 seconds.
         */
        post: operations["previewErasure"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/audit-log": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List audit records with the names of the users
         * @description Returns the records of `GET /api/v1/audit-log`, with the same parameters, and the name of the user of each.
         */
        get: operations["listAuditRecords"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        ConsoleSession: {
            user: {
                id: number;
                /** @description Null if the user is not known in the workspace */
                name: string | null;
            };
            company: {
                id: number;
                name: string;
                /** @description Whether the API is enabled for the workspace */
                apiEnabled: boolean;
            };
            /** @description Whether the session has the permission `integrations.crm` */
            mayManage: boolean;
            /** @description When the session ends */
            expiresAt: components["schemas"]["DateTime"];
        };
        /**
         * Format: date-time
         * @description ISO 8601, UTC, with milliseconds
         * @example 2026-09-01T12:00:00.000Z
         */
        DateTime: string;
        Overview: {
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
                disabledEndpoints: number;
                /** @description Enabled endpoints whose last three attempts or more have all failed */
                failingEndpoints: number;
            };
            /** @description The delivery that has been due longest without being delivered; null if none is due */
            oldestDue: {
                deliveryId: components["schemas"]["IntegerId"];
                endpointId: number;
                createdAt: components["schemas"]["DateTime"];
                /** @description When it became due */
                dueAt: components["schemas"]["DateTime"];
            } | null;
            /** @description The endpoints that have dead deliveries, those with the most first */
            deadLetters: {
                endpointId: number;
                /** @description Counted up to 1,000 */
                count: number;
                countExact: boolean;
                /** @description When the oldest event of these deliveries was created */
                oldestAt: components["schemas"]["DateTime"] | null;
            }[];
            /** @description What needs an admin's attention, most severe first */
            attention: (components["schemas"]["EndpointDisabledAttention"] | components["schemas"]["DeliveriesOverdueAttention"] | components["schemas"]["EndpointFailingAttention"] | components["schemas"]["EndpointUnverifiedAttention"] | components["schemas"]["DeadLettersAttention"] | components["schemas"]["KeyExpiringAttention"] | components["schemas"]["DeliveriesRateLimitedAttention"] | components["schemas"]["NoEndpointAttention"] | components["schemas"]["NoKeyAttention"])[];
        };
        /**
         * @description Integer id, as a string
         * @example 1789030800000000
         */
        IntegerId: string;
        EndpointDisabledAttention: {
            /**
             * @description The system or an admin has disabled the endpoint, and deliveries wait at it (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            kind: "endpoint_disabled";
            endpointId: number;
            url: string;
            /** @description Deliveries that wait at the endpoint, counted up to 1,000 */
            pendingDeliveries: number;
            pendingDeliveriesExact: boolean;
            /** @description The `disabledReason` of the endpoint */
            reason: string | null;
            /** @description Why the last attempt failed */
            lastError: string | null;
            /** @description When the system disabled it; null if an admin did, or if the audit log has no record of it */
            disabledAt: components["schemas"]["DateTime"] | null;
        };
        DeliveriesOverdueAttention: {
            /**
             * @description A delivery to the enabled endpoint has been due for more than five minutes (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            kind: "deliveries_overdue";
            endpointId: number;
            url: string;
            /** @description Deliveries that wait at the endpoint, counted up to 1,000 */
            pendingDeliveries: number;
            pendingDeliveriesExact: boolean;
            /** @description When the delivery that has waited longest became due */
            dueAt: components["schemas"]["DateTime"];
        };
        EndpointFailingAttention: {
            /**
             * @description The last three attempts or more at the enabled endpoint have all failed (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            kind: "endpoint_failing";
            endpointId: number;
            url: string;
            /** @description Deliveries that wait at the endpoint, counted up to 1,000 */
            pendingDeliveries: number;
            pendingDeliveriesExact: boolean;
            consecutiveFailures: number;
            /** @description Number of further consecutive failures that disable it, at least */
            failuresLeft: number;
            failingSince: components["schemas"]["DateTime"] | null;
            lastError: string | null;
        };
        EndpointUnverifiedAttention: {
            /**
             * @description Nothing is sent to the endpoint until a test event succeeds (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            kind: "endpoint_unverified";
            endpointId: number;
            url: string;
            /** @description Deliveries that wait at the endpoint, counted up to 1,000 */
            pendingDeliveries: number;
            pendingDeliveriesExact: boolean;
            createdAt: components["schemas"]["DateTime"];
        };
        DeadLettersAttention: {
            /**
             * @description Dead deliveries that have been neither retried nor dismissed (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            kind: "dead_letters";
            endpointId: number;
            url: string;
            /** @description Counted up to 1,000 */
            deadDeliveries: number;
            deadDeliveriesExact: boolean;
            /** @description When the oldest event among them was created */
            oldestAt: components["schemas"]["DateTime"] | null;
        };
        KeyExpiringAttention: {
            /**
             * @description The key expires within 14 days and has no successor, or is still used although it has one (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            kind: "key_expiring";
            keyId: number;
            name: string;
            prefix: string;
            expiresAt: components["schemas"]["DateTime"];
            rotatedAt: components["schemas"]["DateTime"] | null;
            lastUsedAt: components["schemas"]["DateTime"] | null;
        };
        DeliveriesRateLimitedAttention: {
            /**
             * @description Deliveries wait only for the rate limit of the endpoint, for more than five minutes to come (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            kind: "deliveries_rate_limited";
            endpointId: number;
            url: string;
            /** @description The `maxPerMinute` of the endpoint */
            maxPerMinute: number;
            /** @description Number of waiting deliveries, counted up to 1,000 */
            deliveries: number;
            /** @description False if there are more than the count, which is then the maximum that is counted */
            deliveriesExact: boolean;
            /** @description Approximate time that the limit takes for these; more if `deliveriesExact` is false */
            secondsLeft: number;
        };
        NoEndpointAttention: {
            /**
             * @description The workspace has no webhook endpoint (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            kind: "no_endpoint";
        };
        NoKeyAttention: {
            /**
             * @description The workspace has no working API key (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            kind: "no_key";
        };
        DeliveryCounts: {
            /** @enum {string} */
            range: "hour" | "day" | "week" | "month" | "quarter";
            /** @description The length of a bucket */
            bucketSeconds: number;
            /** @description When the first bucket begins */
            since: components["schemas"]["DateTime"];
            /** @description Every bucket of the period, oldest first. The last one is incomplete */
            buckets: components["schemas"]["AttemptBucket"][];
            totals: components["schemas"]["AttemptTotals"];
        };
        AttemptBucket: {
            /** @description When the bucket begins */
            at: components["schemas"]["DateTime"];
            /** @description Attempts that the receiver accepted */
            delivered: number;
            /** @description Attempts that failed at the receiver */
            failed: number;
            /** @description Attempts that sent nothing, because of an error on our side */
            refused: number;
            /** @description Attempts after which the delivery was dead. They are also counted as failed or refused */
            dead: number;
            /** @description Null if no attempt has a visible duration */
            meanDurationMs: number | null;
            /** @description Null if no attempt has a visible duration */
            slowestMs: number | null;
        };
        AttemptTotals: {
            /** @description Attempts that the receiver accepted */
            delivered: number;
            /** @description Attempts that failed at the receiver */
            failed: number;
            /** @description Attempts that sent nothing, because of an error on our side */
            refused: number;
            /** @description Attempts after which the delivery was dead. They are also counted as failed or refused */
            dead: number;
            /** @description Null if no attempt has a visible duration */
            meanDurationMs: number | null;
            /** @description Null if no attempt has a visible duration */
            slowestMs: number | null;
            /** @description `delivered` divided by the sum of `delivered` and `failed`, from 0 to 1; null if both are 0 */
            successRate: number | null;
        };
        EndpointHealthList: {
            /** @enum {string} */
            range: "hour" | "day" | "week" | "month" | "quarter";
            /** @description The length of a bucket */
            bucketSeconds: number;
            /** @description When the first bucket begins */
            since: components["schemas"]["DateTime"];
            /** @description Number of consecutive failures that disable an endpoint */
            disableAfter: number;
            /** @description The endpoints of the workspace, by id */
            data: components["schemas"]["EndpointHealth"][];
        };
        EndpointHealth: {
            endpointId: number;
            /** @description Attempts that the receiver accepted, for each bucket */
            delivered: number[];
            /** @description Attempts that failed at the receiver, for each bucket */
            failed: number[];
            /** @description Average duration of the attempts, for each bucket; null without attempts */
            meanDurationsMs: (number | null)[];
            totals: components["schemas"]["AttemptTotals"];
            /** @description Counted up to 1,000 */
            pendingDeliveries: number;
            /** @description False if there are more than the count, which is then the maximum that is counted */
            pendingDeliveriesExact: boolean;
            /** @description Dead deliveries that have not been dismissed, without test events. Counted up to 1,000 */
            deadDeliveries: number;
            /** @description False if there are more than the count, which is then the maximum that is counted */
            deadDeliveriesExact: boolean;
            /** @description When the event of the oldest of them was created */
            oldestDeadAt: components["schemas"]["DateTime"] | null;
            /** @description When the delivery that has waited longest became due, not counting the time in which the rate limit of the endpoint did not allow it; null if none is due */
            oldestDueAt: components["schemas"]["DateTime"] | null;
            /** @description The deliveries that wait only for the rate limit of the endpoint; null if there are none */
            rateLimited: components["schemas"]["RateLimitedDeliveries"] | null;
        };
        RateLimitedDeliveries: {
            /** @description The `maxPerMinute` of the endpoint */
            maxPerMinute: number;
            /** @description Number of waiting deliveries, counted up to 1,000 */
            deliveries: number;
            /** @description False if there are more than the count, which is then the maximum that is counted */
            deliveriesExact: boolean;
            /** @description Approximate time that the limit takes for these; more if `deliveriesExact` is false */
            secondsLeft: number;
        };
        DeadLetterGroups: {
            /** @description At most 200 groups, the largest first */
            data: components["schemas"]["DeadLetterGroup"][];
            /** @description False if there may be dead deliveries that were not grouped: the newest 1,000 of each endpoint are grouped, or 10,000 with `endpoint_id` */
            isComplete: boolean;
        };
        DeadLetterGroup: {
            endpointId: number;
            /** @description The error of the last attempt of each of them */
            error: string | null;
            /** @description The status of the last response; null without one */
            statusCode: number | null;
            count: number;
            /** @description False if there may be more, older ones */
            countExact: boolean;
            /** @description When the oldest counted event was created */
            oldestAt: components["schemas"]["DateTime"];
            /** @description When the newest event was created */
            newestAt: components["schemas"]["DateTime"];
            /** @description The newest delivery of the group */
            exampleDeliveryId: components["schemas"]["IntegerId"];
        };
        DeadLetterCount: {
            /** @description Counted up to 50,000 */
            count: number;
            /** @description False if there are more than the count, which is then the maximum that is counted */
            countExact: boolean;
        };
        ApiKeyUsageList: {
            /** @description The days in UTC, oldest first. The last one is today */
            days: string[];
            /** @description The keys that were used in this period, by id. At most 500, those with the highest ids */
            data: components["schemas"]["ApiKeyUsage"][];
        };
        ApiKeyUsage: {
            keyId: number;
            /** @description Requests with the key, for each day */
            requests: number[];
            /** @description Requests that got a 403 or a 429, for each day */
            refused: number[];
            totalRequests: number;
            totalRefused: number;
        };
        FoundObject: {
            /** @enum {string} */
            kind: "room" | "call" | "person" | "share_link" | "delivery" | "event" | "endpoint";
            id: string;
            /** @description The name or title of the object */
            title: string;
            /** @description Distinguishes it from others with the same title */
            subtitle: string | null;
            /** @description The room itself, or the room that the object belongs to */
            roomId: string | null;
            /** @description The call itself, or the call that the object shares */
            callId: string | null;
            /** @description The address of the person */
            email: string | null;
        };
        Why: {
            object: {
                /** @enum {string} */
                kind: "room" | "call" | "event" | "delivery";
                id: string;
                title: string | null;
                roomId: string | null;
                callId: string | null;
                eventId: string | null;
                eventType: string | null;
            };
            /** @description The start of the period that was examined */
            since: components["schemas"]["DateTime"];
            /** @description Its end */
            until: components["schemas"]["DateTime"];
            /** @description If there is too much in that period: the time since which everything was examined. Otherwise null */
            lookedBackTo: components["schemas"]["DateTime"] | null;
            /** @description The verdict that applies to all endpoints; null if they differ */
            code: ("no_event" | "no_such_event_type" | "no_endpoint") | null;
            /** @description When the room or call last changed, whether or not that caused an event */
            lastChangedAt: components["schemas"]["DateTime"] | null;
            happened: components["schemas"]["WhyHappened"][];
            /** @description When the API was switched off and on for the workspace, newest first, at most 20 */
            workspaceChanges: components["schemas"]["WhyChange"][];
            /** @description The endpoints of the workspace, and those removed since then, at most 100. The one whose first verdict best explains a missing delivery is first */
            endpoints: components["schemas"]["WhyEndpoint"][];
        };
        WhyHappened: {
            eventType: string;
            /** @description Number of events, or of occurrences that cause one */
            count: number;
            /** @description Number of them for which an event was written, for any endpoint */
            written: number;
            /** @description False if there may be more */
            isCountExact: boolean;
            /** @description False if a change may have caused such an event, but its content is not recorded */
            isCertain: boolean;
            firstAt: components["schemas"]["DateTime"];
            lastAt: components["schemas"]["DateTime"];
            /** @description The source of this information */
            sources: ("webhook_events" | "engagement_events" | "engagement_views" | "calls" | "rooms" | "esign_documents")[];
        };
        WhyChange: {
            at: components["schemas"]["DateTime"];
            /** @description The action of the audit record */
            action: string;
            auditRecordId: components["schemas"]["IntegerId"];
            user: {
                id: number;
                name: string | null;
            } | null;
            details: {
                [key: string]: unknown;
            };
        };
        WhyEndpoint: {
            endpoint: {
                id: number;
                url: string;
                description: string | null;
                events: string[];
                enabled: boolean;
                disabledReason: string | null;
                awaitingVerification: boolean;
                createdAt: components["schemas"]["DateTime"];
                removedAt: components["schemas"]["DateTime"] | null;
            };
            /** @description At least one; the one that best explains a missing delivery is first */
            verdicts: components["schemas"]["WhyVerdict"][];
            /** @description The newest deliveries that the verdicts are about, at most 20 */
            deliveries: components["schemas"]["WebhookDelivery"][];
            /** @description The changes of the endpoint that affect what is sent to it, newest first, at most 20 */
            changes: components["schemas"]["WhyChange"][];
        };
        WhyVerdict: {
            /** @description `dead`: deliveries have failed for good; `at` is the time of the newest of their events. `parked_disabled`: deliveries wait until the endpoint is enabled. `awaiting_verification`: deliveries wait until a test event succeeds at the endpoint. `waiting`: deliveries wait for their next attempt, at `until`. `rate_limited`: deliveries are due and wait only for the rate limit of the endpoint (`maxPerMinute`), approximately until `until`. `in_progress`: deliveries are claimed, and an attempt is in progress or about to begin. `disabled_then`: the endpoint was disabled, so the events were not written for it. `workspace_off`: the API was switched off for the workspace: events were not written, or deliveries wait until it is switched on. `created_later`: the endpoint was created after the events, at `until`. `unknown`: the endpoint should have been sent the events and was not, and no stored record explains it: they were captured without webhooks or long after they happened, or the state of the endpoint at that time is not recorded. `delivered`: deliveries have arrived; `at` is when the newest of them did. `dismissed`: deliveries have failed for good, and an admin dismissed them. `removed`: the endpoint was removed at `since`. `not_subscribed`: the endpoint did not subscribe to the event types. `no_event`: no recorded change of the object causes an event. `no_such_event_type`: there is no such event type. Open enumeration: new values may appear */
            code: string;
            /** @description Number of deliveries, or of events without a delivery, that it is about */
            count: number;
            /** @description False if there may be more */
            isCountExact: boolean;
            /** @description False if the events are only possible, because a change may have caused them */
            isCertain: boolean;
            /** @description The types of these events */
            eventTypes: string[];
            /** @description The time of the newest of these events */
            at: components["schemas"]["DateTime"] | null;
            /** @description When the state that explains it began; null if that is not recorded, or if there is none */
            since: components["schemas"]["DateTime"] | null;
            /** @description When that state ended or ends; null if that is not known */
            until: components["schemas"]["DateTime"] | null;
            /** @description Finished attempts of the newest delivery in its current schedule */
            attempts: number | null;
            /** @description Number of attempts of a schedule */
            maxAttempts: number | null;
            /** @description The rate limit that deliveries wait for */
            maxPerMinute: number | null;
            /** @description The last status of the newest delivery */
            statusCode: number | null;
            /** @description The last error of the newest delivery */
            error: string | null;
            /** @description The newest delivery */
            deliveryId: components["schemas"]["IntegerId"] | null;
            /** @description Who or what disabled the endpoint: an `admin`, 20 `failures` in a row by default, a 410 (`gone`), or `unknown` */
            disabledBy: ("admin" | "failures" | "gone" | "unknown") | null;
            /** @description The admin who did it */
            user: {
                id: number;
                name: string | null;
            } | null;
            /** @description The times at which the state of the endpoint was checked: `recorded`: exactly those of the events. `occurred`: those of the occurrences, which were captured then or later. `changed`: those of the last changes of the objects. Null for deliveries */
            timeIs: ("recorded" | "occurred" | "changed") | null;
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
        ConsoleRoom: {
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
            /** @description The current score; the same as in the metrics of the room */
            engagementScore: number;
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
            /** @description The `traceparent` header that was sent (W3C Trace Context). Its trace id is that of the request that captured the event or, if that had none, the event id without hyphens; null in attempts before it was introduced */
            traceparent: string | null;
        };
        ShownErasure: {
            /** Format: uuid */
            id: string;
            /**
             * @description What was erased
             * @enum {string}
             */
            kind: "person" | "room";
            buyerSpaceId: string | null;
            /** @description Number of people, counted once per room */
            people: number;
            isDone: boolean;
            /** @description When the erasure was done; until then, when it was requested */
            at: components["schemas"]["DateTime"];
        };
        ErasurePreview: {
            /** @description Number of people who would be erased, one for each of their rooms */
            people: number;
            /** @description Number of share links that are addressed to them */
            distributions: number;
            /** @description Number of rooms whose name, slug or contact would change */
            rooms: number;
            /** @description Number of calls whose participants or texts would change */
            calls: number;
            /** @description Number of documents whose title would change */
            documents: number;
            /** @description Number of items of action plans whose title would change */
            actionItems: number;
            /** @description Number of messages whose text would change */
            messages: number;
            /** @description Number of contracts whose subject would change */
            esignDocuments: number;
            /** @description Number of engagement events that would change */
            engagementEvents: number;
            /** @description Number of views that would change */
            engagementViews: number;
            /** @description Number of records of the audit log whose details would change */
            auditRecords: number;
            /** @description Number of stored bodies of webhooks that would change */
            webhookEvents: number;
            /** @description Number of deliveries with a stored response that repeats the address or a name */
            responses: number;
            /** @description Whether everything was counted; if not, the numbers are minimums */
            isComplete: boolean;
        };
        ConsoleAuditRecord: {
            id: components["schemas"]["IntegerId"];
            at: components["schemas"]["DateTime"];
            /** @description The user who did it, from the session token; null if an API key or the system did it */
            userId: number | null;
            /** @description The API key that did it, with the scope `webhooks`; null if a user or the system did it */
            apiKeyId: number | null;
            /** @description What was done: `api_key.created`, `api_key.rotated`, `api_key.revoked`, `webhook.created`, `webhook.updated`, `webhook.removed`, `webhook.disabled`, `webhook.secret_rotated`, `webhook.pinged`, `webhook.url_tested`, `delivery.retried`, `deliveries.retried`, `deliveries.dismissed`, `delivery.resent`, `deliveries.resent`, `erasure.requested`, `request.refused`, `workspace.api_disabled`, `workspace.api_enabled`. Open enumeration: new values may appear */
            action: string;
            /** @description The kind of object: `api_key`, `webhook`, `delivery`, `erasure`, `operation`, `workspace`. Open enumeration: new values may appear */
            objectType: string;
            /** @description Id of the object, as a string; for a rejected request, the `operationId` of this document */
            objectId: string;
            /** @description The `X-Request-Id` of the request, which identifies it in our logs; null if the system did it */
            requestId: string | null;
            /** @description The id that we gave the request, which the caller cannot choose; null if the system did it, and in old records */
            serverRequestId: string | null;
            /** @description The IP address of the caller; null if it is unknown or the system did it */
            ipAddress: string | null;
            /** @description Further details, such as the names of the changed fields. Never contains a secret or a URL */
            details: {
                [key: string]: unknown;
            };
            /** @description The name of the user; null if the system did it, or if the user is not known in the workspace */
            userName: string | null;
        };
    };
    responses: {
        /** @description The content is unchanged: it matches the `ETag` in `If-None-Match` */
        NotModifiedForSession: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Window": components["headers"]["X-RateLimit-Window"];
                "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                "X-Management-RateLimit-Limit": components["headers"]["X-Management-RateLimit-Limit"];
                "X-Management-RateLimit-Remaining": components["headers"]["X-Management-RateLimit-Remaining"];
                "X-Management-RateLimit-Reset": components["headers"]["X-Management-RateLimit-Reset"];
                ETag: components["headers"]["ETag"];
                [name: string]: unknown;
            };
            content?: never;
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
        /** @description `RATE_LIMITED`: The key, the user or the workspace has exceeded a limit, or too many of their requests are in progress. Wait for the number of seconds in `Retry-After`. */
        RateLimitedForSession: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Window": components["headers"]["X-RateLimit-Window"];
                "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                "Retry-After": components["headers"]["Retry-After"];
                /**
                 * @description Number of management requests allowed in a window: of the user or of the workspace, whichever has fewer left.
                 * @example 300
                 */
                "X-Management-RateLimit-Limit"?: number;
                /**
                 * @description Number of those requests that are left in the current window.
                 * @example 299
                 */
                "X-Management-RateLimit-Remaining"?: number;
                /**
                 * @description Seconds until that window ends, rounded up.
                 * @example 42
                 */
                "X-Management-RateLimit-Reset"?: number;
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
                 * @description Number of management requests allowed in a window: of the user or of the workspace, whichever has fewer left.
                 * @example 300
                 */
                "X-Management-RateLimit-Limit"?: number;
                /**
                 * @description Number of those requests that are left in the current window.
                 * @example 299
                 */
                "X-Management-RateLimit-Remaining"?: number;
                /**
                 * @description Seconds until that window ends, rounded up.
                 * @example 42
                 */
                "X-Management-RateLimit-Reset"?: number;
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
                 * @description Number of management requests allowed in a window: of the user or of the workspace, whichever has fewer left.
                 * @example 300
                 */
                "X-Management-RateLimit-Limit"?: number;
                /**
                 * @description Number of those requests that are left in the current window.
                 * @example 299
                 */
                "X-Management-RateLimit-Remaining"?: number;
                /**
                 * @description Seconds until that window ends, rounded up.
                 * @example 42
                 */
                "X-Management-RateLimit-Reset"?: number;
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
                "X-Management-RateLimit-Limit": components["headers"]["X-Management-RateLimit-Limit"];
                "X-Management-RateLimit-Remaining": components["headers"]["X-Management-RateLimit-Remaining"];
                "X-Management-RateLimit-Reset": components["headers"]["X-Management-RateLimit-Reset"];
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
        /** @description `INVALID_REQUEST`: A parameter or a field of the body is invalid. `field` and the message name it, and the message says what is allowed. */
        InvalidRequestForSession: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Window": components["headers"]["X-RateLimit-Window"];
                "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                "X-Management-RateLimit-Limit": components["headers"]["X-Management-RateLimit-Limit"];
                "X-Management-RateLimit-Remaining": components["headers"]["X-Management-RateLimit-Remaining"];
                "X-Management-RateLimit-Reset": components["headers"]["X-Management-RateLimit-Reset"];
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
        /** @description `NOT_FOUND`: The id is unknown or malformed, or belongs to another workspace. The response is the same in all three cases. */
        NotFoundForSession: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Window": components["headers"]["X-RateLimit-Window"];
                "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                /**
                 * @description Number of management requests allowed in a window: of the user or of the workspace, whichever has fewer left.
                 * @example 300
                 */
                "X-Management-RateLimit-Limit"?: number;
                /**
                 * @description Number of those requests that are left in the current window.
                 * @example 299
                 */
                "X-Management-RateLimit-Remaining"?: number;
                /**
                 * @description Seconds until that window ends, rounded up.
                 * @example 42
                 */
                "X-Management-RateLimit-Reset"?: number;
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
                "X-Management-RateLimit-Limit": components["headers"]["X-Management-RateLimit-Limit"];
                "X-Management-RateLimit-Remaining": components["headers"]["X-Management-RateLimit-Remaining"];
                "X-Management-RateLimit-Reset": components["headers"]["X-Management-RateLimit-Reset"];
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
        /** @description `PAYLOAD_TOO_LARGE`: The body is larger than 100 KiB. */
        PayloadTooLargeForSession: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Window": components["headers"]["X-RateLimit-Window"];
                "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                "X-Management-RateLimit-Limit": components["headers"]["X-Management-RateLimit-Limit"];
                "X-Management-RateLimit-Remaining": components["headers"]["X-Management-RateLimit-Remaining"];
                "X-Management-RateLimit-Reset": components["headers"]["X-Management-RateLimit-Reset"];
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
         * @description Number of management requests allowed in a window: of the user or of the workspace, whichever has fewer left.
         * @example 300
         */
        "X-Management-RateLimit-Limit": number;
        /**
         * @description Number of those requests that are left in the current window.
         * @example 299
         */
        "X-Management-RateLimit-Remaining": number;
        /**
         * @description Seconds until that window ends, rounded up.
         * @example 42
         */
        "X-Management-RateLimit-Reset": number;
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
         * @description The authentication scheme that is required.
         * @example Bearer
         */
        "WWW-Authenticate": string;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    getSession: {
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
                    "X-Management-RateLimit-Limit": components["headers"]["X-Management-RateLimit-Limit"];
                    "X-Management-RateLimit-Remaining": components["headers"]["X-Management-RateLimit-Remaining"];
                    "X-Management-RateLimit-Reset": components["headers"]["X-Management-RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "user": {
                     *         "id": 7,
                     *         "name": "Maren Holt"
                     *       },
                     *       "company": {
                     *         "id": 1001,
                     *         "name": "Lanternfell Software",
                     *         "apiEnabled": true
                     *       },
                     *       "mayManage": true,
                     *       "expiresAt": "2026-09-10T17:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["ConsoleSession"];
                };
            };
            304: components["responses"]["NotModifiedForSession"];
            401: components["responses"]["SessionInvalidForSession"];
            429: components["responses"]["RateLimitedForSession"];
            500: components["responses"]["InternalErrorForSession"];
            503: components["responses"]["ServiceUnavailableForSession"];
        };
    };
    getOverview: {
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
                    "X-Management-RateLimit-Limit": components["headers"]["X-Management-RateLimit-Limit"];
                    "X-Management-RateLimit-Remaining": components["headers"]["X-Management-RateLimit-Remaining"];
                    "X-Management-RateLimit-Reset": components["headers"]["X-Management-RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "webhooks": {
                     *         "endpoints": 2,
                     *         "enabledEndpoints": 1,
                     *         "disabledEndpoints": 1,
                     *         "failingEndpoints": 0,
                     *         "pendingDeliveries": 12,
                     *         "pendingDeliveriesExact": true,
                     *         "deadDeliveries": 3,
                     *         "deadDeliveriesExact": true,
                     *         "lastDeliveredAt": "2026-09-10T09:00:04.930Z"
                     *       },
                     *       "oldestDue": {
                     *         "deliveryId": "1789030800012000",
                     *         "endpointId": 1,
                     *         "createdAt": "2026-09-10T09:00:04.621Z",
                     *         "dueAt": "2026-09-10T09:01:04.930Z"
                     *       },
                     *       "deadLetters": [
                     *         {
                     *           "endpointId": 2,
                     *           "count": 3,
                     *           "countExact": true,
                     *           "oldestAt": "2026-09-10T08:12:04.621Z"
                     *         }
                     *       ],
                     *       "attention": [
                     *         {
                     *           "kind": "endpoint_disabled",
                     *           "endpointId": 2,
                     *           "url": "https://hooks.example.com/deal-signals",
                     *           "pendingDeliveries": 11,
                     *           "pendingDeliveriesExact": true,
                     *           "reason": "20 consecutive failed attempts",
                     *           "lastError": "receiver responded with 500",
                     *           "disabledAt": "2026-09-10T08:31:11.008Z"
                     *         },
                     *         {
                     *           "kind": "dead_letters",
                     *           "endpointId": 2,
                     *           "url": "https://hooks.example.com/deal-signals",
                     *           "deadDeliveries": 3,
                     *           "deadDeliveriesExact": true,
                     *           "oldestAt": "2026-09-10T08:12:04.621Z"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["Overview"];
                };
            };
            304: components["responses"]["NotModifiedForSession"];
            401: components["responses"]["SessionInvalidForSession"];
            403: components["responses"]["PermissionDeniedOrFeatureNotEnabledForSession"];
            429: components["responses"]["RateLimitedForSession"];
            500: components["responses"]["InternalErrorForSession"];
            503: components["responses"]["ServiceUnavailableForSession"];
        };
    };
    getDeliveryCounts: {
        parameters: {
            query?: {
                /** @description The period, which ends now: the hour by minutes, the day by hours, the week by quarters of a day, the month and the quarter (90 days) by days */
                range?: "hour" | "day" | "week" | "month" | "quarter";
                /** @description Only attempts at this endpoint */
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
                    "X-Management-RateLimit-Limit": components["headers"]["X-Management-RateLimit-Limit"];
                    "X-Management-RateLimit-Remaining": components["headers"]["X-Management-RateLimit-Remaining"];
                    "X-Management-RateLimit-Reset": components["headers"]["X-Management-RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "range": "day",
                     *       "bucketSeconds": 3600,
                     *       "since": "2026-09-09T10:00:00.000Z",
                     *       "buckets": [
                     *         {
                     *           "at": "2026-09-09T10:00:00.000Z",
                     *           "delivered": 41,
                     *           "failed": 2,
                     *           "refused": 0,
                     *           "dead": 1,
                     *           "meanDurationMs": 132,
                     *           "slowestMs": 1904
                     *         }
                     *       ],
                     *       "totals": {
                     *         "delivered": 41,
                     *         "failed": 2,
                     *         "refused": 0,
                     *         "dead": 1,
                     *         "meanDurationMs": 132,
                     *         "slowestMs": 1904,
                     *         "successRate": 0.9535
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["DeliveryCounts"];
                };
            };
            304: components["responses"]["NotModifiedForSession"];
            400: components["responses"]["InvalidRequestForSession"];
            401: components["responses"]["SessionInvalidForSession"];
            403: components["responses"]["PermissionDeniedOrFeatureNotEnabledForSession"];
            429: components["responses"]["RateLimitedForSession"];
            500: components["responses"]["InternalErrorForSession"];
            503: components["responses"]["ServiceUnavailableForSession"];
        };
    };
    listEndpointHealth: {
        parameters: {
            query?: {
                /** @description The period, which ends now: the hour by minutes, the day by hours, the week by quarters of a day, the month and the quarter (90 days) by days */
                range?: "hour" | "day" | "week" | "month" | "quarter";
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
                    "X-Management-RateLimit-Limit": components["headers"]["X-Management-RateLimit-Limit"];
                    "X-Management-RateLimit-Remaining": components["headers"]["X-Management-RateLimit-Remaining"];
                    "X-Management-RateLimit-Reset": components["headers"]["X-Management-RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "range": "day",
                     *       "bucketSeconds": 3600,
                     *       "since": "2026-09-09T10:00:00.000Z",
                     *       "disableAfter": 20,
                     *       "data": [
                     *         {
                     *           "endpointId": 1,
                     *           "delivered": [
                     *             41
                     *           ],
                     *           "failed": [
                     *             2
                     *           ],
                     *           "meanDurationsMs": [
                     *             132
                     *           ],
                     *           "totals": {
                     *             "delivered": 41,
                     *             "failed": 2,
                     *             "refused": 0,
                     *             "dead": 1,
                     *             "meanDurationMs": 132,
                     *             "slowestMs": 1904,
                     *             "successRate": 0.9535
                     *           },
                     *           "pendingDeliveries": 90,
                     *           "pendingDeliveriesExact": true,
                     *           "deadDeliveries": 1,
                     *           "deadDeliveriesExact": true,
                     *           "oldestDeadAt": "2026-09-09T10:12:04.621Z",
                     *           "oldestDueAt": null,
                     *           "rateLimited": {
                     *             "maxPerMinute": 60,
                     *             "deliveries": 90,
                     *             "deliveriesExact": true,
                     *             "secondsLeft": 90
                     *           }
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["EndpointHealthList"];
                };
            };
            304: components["responses"]["NotModifiedForSession"];
            400: components["responses"]["InvalidRequestForSession"];
            401: components["responses"]["SessionInvalidForSession"];
            403: components["responses"]["PermissionDeniedOrFeatureNotEnabledForSession"];
            429: components["responses"]["RateLimitedForSession"];
            500: components["responses"]["InternalErrorForSession"];
            503: components["responses"]["ServiceUnavailableForSession"];
        };
    };
    listDeadLetters: {
        parameters: {
            query?: {
                /** @description Only dead deliveries of this endpoint */
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
                    "X-Management-RateLimit-Limit": components["headers"]["X-Management-RateLimit-Limit"];
                    "X-Management-RateLimit-Remaining": components["headers"]["X-Management-RateLimit-Remaining"];
                    "X-Management-RateLimit-Reset": components["headers"]["X-Management-RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "endpointId": 2,
                     *           "error": "receiver responded with 503",
                     *           "statusCode": 503,
                     *           "count": 3,
                     *           "countExact": true,
                     *           "oldestAt": "2026-09-10T08:12:04.621Z",
                     *           "newestAt": "2026-09-10T08:19:40.127Z",
                     *           "exampleDeliveryId": "1789030800009000"
                     *         }
                     *       ],
                     *       "isComplete": true
                     *     }
                     */
                    "application/json": components["schemas"]["DeadLetterGroups"];
                };
            };
            304: components["responses"]["NotModifiedForSession"];
            400: components["responses"]["InvalidRequestForSession"];
            401: components["responses"]["SessionInvalidForSession"];
            403: components["responses"]["PermissionDeniedOrFeatureNotEnabledForSession"];
            429: components["responses"]["RateLimitedForSession"];
            500: components["responses"]["InternalErrorForSession"];
            503: components["responses"]["ServiceUnavailableForSession"];
        };
    };
    countDeadDeliveries: {
        parameters: {
            query: {
                /** @description Only deliveries of events created at or after this time */
                since?: string;
                /** @description Only deliveries of events created before this time */
                before?: string;
                /** @description Only deliveries with this `lastError`. An empty value selects those whose `lastError` is null */
                error?: string;
                /** @description Id of the endpoint */
                endpoint_id: number;
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
                    "X-Management-RateLimit-Limit": components["headers"]["X-Management-RateLimit-Limit"];
                    "X-Management-RateLimit-Remaining": components["headers"]["X-Management-RateLimit-Remaining"];
                    "X-Management-RateLimit-Reset": components["headers"]["X-Management-RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "count": 3,
                     *       "countExact": true
                     *     }
                     */
                    "application/json": components["schemas"]["DeadLetterCount"];
                };
            };
            304: components["responses"]["NotModifiedForSession"];
            400: components["responses"]["InvalidRequestForSession"];
            401: components["responses"]["SessionInvalidForSession"];
            403: components["responses"]["PermissionDeniedOrFeatureNotEnabledForSession"];
            429: components["responses"]["RateLimitedForSession"];
            500: components["responses"]["InternalErrorForSession"];
            503: components["responses"]["ServiceUnavailableForSession"];
        };
    };
    listKeyUsage: {
        parameters: {
            query?: {
                /** @description Number of days, ending today */
                days?: number;
                /** @description Only this API key */
                key_id?: number;
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
                    "X-Management-RateLimit-Limit": components["headers"]["X-Management-RateLimit-Limit"];
                    "X-Management-RateLimit-Remaining": components["headers"]["X-Management-RateLimit-Remaining"];
                    "X-Management-RateLimit-Reset": components["headers"]["X-Management-RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "days": [
                     *         "2026-09-09",
                     *         "2026-09-10"
                     *       ],
                     *       "data": [
                     *         {
                     *           "keyId": 1,
                     *           "requests": [
                     *             1440,
                     *             512
                     *           ],
                     *           "refused": [
                     *             0,
                     *             3
                     *           ],
                     *           "totalRequests": 1952,
                     *           "totalRefused": 3
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["ApiKeyUsageList"];
                };
            };
            304: components["responses"]["NotModifiedForSession"];
            400: components["responses"]["InvalidRequestForSession"];
            401: components["responses"]["SessionInvalidForSession"];
            403: components["responses"]["PermissionDeniedOrFeatureNotEnabledForSession"];
            429: components["responses"]["RateLimitedForSession"];
            500: components["responses"]["InternalErrorForSession"];
            503: components["responses"]["ServiceUnavailableForSession"];
        };
    };
    search: {
        parameters: {
            query: {
                /** @description Words of a name, title or address, or parts of them, in any order; or an id */
                q: string;
                /** @description Maximum number of objects */
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
                    "X-Management-RateLimit-Limit": components["headers"]["X-Management-RateLimit-Limit"];
                    "X-Management-RateLimit-Remaining": components["headers"]["X-Management-RateLimit-Remaining"];
                    "X-Management-RateLimit-Reset": components["headers"]["X-Management-RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "kind": "room",
                     *           "id": "5ac0dea5-cb0b-56eb-97f0-b05dcb1655f6",
                     *           "title": "Underhill Tools",
                     *           "subtitle": "open",
                     *           "roomId": "5ac0dea5-cb0b-56eb-97f0-b05dcb1655f6",
                     *           "callId": null,
                     *           "email": null
                     *         },
                     *         {
                     *           "kind": "person",
                     *           "id": "d8e8fca2-dc0f-896d-a7cb-4cb0031ba249",
                     *           "title": "Giulia Tremblay",
                     *           "subtitle": "giulia.tremblay@underhill-tools.example · Underhill Tools",
                     *           "roomId": "5ac0dea5-cb0b-56eb-97f0-b05dcb1655f6",
                     *           "callId": null,
                     *           "email": "giulia.tremblay@underhill-tools.example"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["FoundObject"][];
                    };
                };
            };
            304: components["responses"]["NotModifiedForSession"];
            400: components["responses"]["InvalidRequestForSession"];
            401: components["responses"]["SessionInvalidForSession"];
            403: components["responses"]["PermissionDeniedOrFeatureNotEnabledForSession"];
            429: components["responses"]["RateLimitedForSession"];
            500: components["responses"]["InternalErrorForSession"];
            503: components["responses"]["ServiceUnavailableForSession"];
        };
    };
    whyDidItNotCome: {
        parameters: {
            query?: {
                /** @description A Decision Room */
                buyer_space_id?: string;
                /** @description A call or recording */
                call_id?: string;
                /** @description An event, by the id in its envelope */
                event_id?: string;
                /** @description A delivery: its event */
                delivery_id?: string;
                /** @description Only events of this type: `engagement.recorded`, `call.summary.created`, `decision_room.updated`, `decision_room.esign.updated`, `decision_room.created`, `call.recorded`, `engagement.view.recorded`, `person.erased`, `room.erased`, `webhook.endpoint.disabled`, `integration.ping`. An unknown type is explained as well */
                event_type?: string;
                /** @description Only occurrences at this time or later; by default seven days before `until`. Ignored for events and deliveries */
                since?: string;
                /** @description Only occurrences before this time; by default now. Ignored for events and deliveries */
                until?: string;
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
                    "X-Management-RateLimit-Limit": components["headers"]["X-Management-RateLimit-Limit"];
                    "X-Management-RateLimit-Remaining": components["headers"]["X-Management-RateLimit-Remaining"];
                    "X-Management-RateLimit-Reset": components["headers"]["X-Management-RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "object": {
                     *           "kind": "room",
                     *           "id": "5ac0dea5-cb0b-56eb-97f0-b05dcb1655f6",
                     *           "title": "Underhill Tools",
                     *           "roomId": "5ac0dea5-cb0b-56eb-97f0-b05dcb1655f6",
                     *           "callId": null,
                     *           "eventId": null,
                     *           "eventType": null
                     *         },
                     *         "since": "2026-09-04T09:00:00.000Z",
                     *         "until": "2026-09-11T09:00:00.000Z",
                     *         "lookedBackTo": null,
                     *         "code": null,
                     *         "lastChangedAt": "2026-09-10T09:00:04.621Z",
                     *         "happened": [
                     *           {
                     *             "eventType": "decision_room.updated",
                     *             "count": 1,
                     *             "written": 1,
                     *             "isCountExact": true,
                     *             "isCertain": true,
                     *             "firstAt": "2026-09-10T09:00:04.621Z",
                     *             "lastAt": "2026-09-10T09:00:04.621Z",
                     *             "sources": [
                     *               "webhook_events"
                     *             ]
                     *           }
                     *         ],
                     *         "workspaceChanges": [],
                     *         "endpoints": [
                     *           {
                     *             "endpoint": {
                     *               "id": 1,
                     *               "url": "https://hooks.crm.example/deal-signals",
                     *               "description": "CRM",
                     *               "events": [
                     *                 "*"
                     *               ],
                     *               "enabled": true,
                     *               "disabledReason": null,
                     *               "awaitingVerification": false,
                     *               "createdAt": "2026-09-10T09:00:01.985Z",
                     *               "removedAt": null
                     *             },
                     *             "verdicts": [
                     *               {
                     *                 "code": "delivered",
                     *                 "count": 1,
                     *                 "isCountExact": true,
                     *                 "isCertain": true,
                     *                 "eventTypes": [
                     *                   "decision_room.updated"
                     *                 ],
                     *                 "at": "2026-09-10T09:00:04.930Z",
                     *                 "since": "2026-09-10T09:00:04.621Z",
                     *                 "until": null,
                     *                 "attempts": 1,
                     *                 "maxAttempts": 8,
                     *                 "maxPerMinute": null,
                     *                 "statusCode": 200,
                     *                 "error": null,
                     *                 "deliveryId": "1789030800000000",
                     *                 "disabledBy": null,
                     *                 "user": null,
                     *                 "timeIs": null
                     *               }
                     *             ],
                     *             "deliveries": [
                     *               {
                     *                 "id": "1789030800000000",
                     *                 "endpointId": 1,
                     *                 "eventId": "bbd83a9f-de83-48b1-bdf7-d0887c1e4ace",
                     *                 "eventType": "decision_room.updated",
                     *                 "buyerSpaceId": null,
                     *                 "callId": null,
                     *                 "status": "delivered",
                     *                 "attempts": 1,
                     *                 "nextAttemptAt": null,
                     *                 "createdAt": "2026-09-10T09:00:04.621Z",
                     *                 "deliveredAt": "2026-09-10T09:00:04.930Z",
                     *                 "lastStatusCode": 200,
                     *                 "lastError": null,
                     *                 "dismissedAt": null
                     *               }
                     *             ],
                     *             "changes": []
                     *           },
                     *           {
                     *             "endpoint": {
                     *               "id": 2,
                     *               "url": "https://lake.example/hook",
                     *               "description": "Data lake",
                     *               "events": [
                     *                 "*"
                     *               ],
                     *               "enabled": false,
                     *               "disabledReason": "20 consecutive failed attempts",
                     *               "awaitingVerification": false,
                     *               "createdAt": "2026-09-10T09:00:01.985Z",
                     *               "removedAt": null
                     *             },
                     *             "verdicts": [
                     *               {
                     *                 "code": "disabled_then",
                     *                 "count": 1,
                     *                 "isCountExact": true,
                     *                 "isCertain": true,
                     *                 "eventTypes": [
                     *                   "decision_room.updated"
                     *                 ],
                     *                 "at": "2026-09-10T09:00:04.621Z",
                     *                 "since": "2026-09-10T09:00:03.112Z",
                     *                 "until": null,
                     *                 "attempts": null,
                     *                 "maxAttempts": null,
                     *                 "maxPerMinute": null,
                     *                 "statusCode": null,
                     *                 "error": null,
                     *                 "deliveryId": null,
                     *                 "disabledBy": "failures",
                     *                 "user": null,
                     *                 "timeIs": "recorded"
                     *               }
                     *             ],
                     *             "deliveries": [],
                     *             "changes": [
                     *               {
                     *                 "at": "2026-09-10T09:00:03.112Z",
                     *                 "action": "webhook.disabled",
                     *                 "auditRecordId": "1789030800002000",
                     *                 "user": null,
                     *                 "details": {
                     *                   "reason": "failures",
                     *                   "consecutiveFailures": 20
                     *                 }
                     *               }
                     *             ]
                     *           }
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Why"];
                    };
                };
            };
            304: components["responses"]["NotModifiedForSession"];
            400: components["responses"]["InvalidRequestForSession"];
            401: components["responses"]["SessionInvalidForSession"];
            403: components["responses"]["PermissionDeniedOrFeatureNotEnabledForSession"];
            404: components["responses"]["NotFoundForSession"];
            429: components["responses"]["RateLimitedForSession"];
            500: components["responses"]["InternalErrorForSession"];
            503: components["responses"]["ServiceUnavailableForSession"];
        };
    };
    listCalls: {
        parameters: {
            query?: {
                /** @description The `nextCursor` of an earlier response in the same order; one of the other order is an `INVALID_CURSOR`. Opaque; never expires. Omit it, or leave it empty, to start from the first record of the order */
                cursor?: string;
                /** @description Maximum number of records on the page. A page of large records ends earlier, at about 4 MiB */
                limit?: number;
                /** @description Only calls that changed at or after this time */
                updated_since?: string;
                /** @description The order of the records: `asc` from the oldest to the newest, `desc` from the newest to the oldest. A cursor continues in the order that it comes from */
                order?: "asc" | "desc";
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
                    "X-Management-RateLimit-Limit": components["headers"]["X-Management-RateLimit-Limit"];
                    "X-Management-RateLimit-Remaining": components["headers"]["X-Management-RateLimit-Remaining"];
                    "X-Management-RateLimit-Reset": components["headers"]["X-Management-RateLimit-Reset"];
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
                     *       "nextCursor": "eyJmZWVkIjoiY2FsbHMtbmV3ZXN0LWZpcnN0IiwiYXQiOjE3ODkwMzA4MDEwNjYsImlkIjoiNzc5OTllYWQtODFhMS01YWY5LWJhZDYtZmNmODVjM2M1NzYzIn0",
                     *       "hasMore": true
                     *     }
                     */
                    "application/json": {
                        /** @description Calls in the requested order */
                        data: components["schemas"]["Call"][];
                        /** @description Pass it as `cursor` to continue after this page, now or later; present even if `hasMore` is false. If a first page with `since` or `updated_since` is empty, it is the position from which that page was read, ten minutes before that time or the present */
                        nextCursor: string;
                        /** @description Whether there were more records when this page was read, or may be: a page with `since` examines at most 50,000 records, and can be empty while there are others. Rely on this field, not on the number of records */
                        hasMore: boolean;
                    };
                };
            };
            304: components["responses"]["NotModifiedForSession"];
            400: components["responses"]["InvalidRequestOrInvalidCursorForSession"];
            401: components["responses"]["SessionInvalidForSession"];
            403: components["responses"]["PermissionDeniedOrFeatureNotEnabledForSession"];
            429: components["responses"]["RateLimitedForSession"];
            500: components["responses"]["InternalErrorForSession"];
            503: components["responses"]["ServiceUnavailableForSession"];
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
                    "X-Management-RateLimit-Limit": components["headers"]["X-Management-RateLimit-Limit"];
                    "X-Management-RateLimit-Remaining": components["headers"]["X-Management-RateLimit-Remaining"];
                    "X-Management-RateLimit-Reset": components["headers"]["X-Management-RateLimit-Reset"];
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
            304: components["responses"]["NotModifiedForSession"];
            401: components["responses"]["SessionInvalidForSession"];
            403: components["responses"]["PermissionDeniedOrFeatureNotEnabledForSession"];
            404: components["responses"]["NotFoundForSession"];
            429: components["responses"]["RateLimitedForSession"];
            500: components["responses"]["InternalErrorForSession"];
            503: components["responses"]["ServiceUnavailableForSession"];
        };
    };
    listEngagementEvents: {
        parameters: {
            query?: {
                /** @description The `nextCursor` of an earlier response in the same order; one of the other order is an `INVALID_CURSOR`. In ascending order it is the last id received, so the id of any record also works. Never expires. Omit it, or leave it empty, to start from the first record of the order */
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
                /** @description The order of the records: `asc` from the oldest to the newest, `desc` from the newest to the oldest. A cursor continues in the order that it comes from */
                order?: "asc" | "desc";
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
                    "X-Management-RateLimit-Limit": components["headers"]["X-Management-RateLimit-Limit"];
                    "X-Management-RateLimit-Remaining": components["headers"]["X-Management-RateLimit-Remaining"];
                    "X-Management-RateLimit-Reset": components["headers"]["X-Management-RateLimit-Reset"];
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
                        /** @description Events in the requested order */
                        data: components["schemas"]["EngagementEvent"][];
                        /** @description Pass it as `cursor` to continue after this page, now or later; present even if `hasMore` is false. If a first page with `since` or `updated_since` is empty, it is the position from which that page was read, ten minutes before that time or the present */
                        nextCursor: string;
                        /** @description Whether there were more records when this page was read, or may be: a page with `since` examines at most 50,000 records, and can be empty while there are others. Rely on this field, not on the number of records */
                        hasMore: boolean;
                    };
                };
            };
            304: components["responses"]["NotModifiedForSession"];
            400: components["responses"]["InvalidRequestOrInvalidCursorForSession"];
            401: components["responses"]["SessionInvalidForSession"];
            403: components["responses"]["PermissionDeniedOrFeatureNotEnabledForSession"];
            429: components["responses"]["RateLimitedForSession"];
            500: components["responses"]["InternalErrorForSession"];
            503: components["responses"]["ServiceUnavailableForSession"];
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
                    "X-Management-RateLimit-Limit": components["headers"]["X-Management-RateLimit-Limit"];
                    "X-Management-RateLimit-Remaining": components["headers"]["X-Management-RateLimit-Remaining"];
                    "X-Management-RateLimit-Reset": components["headers"]["X-Management-RateLimit-Reset"];
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
            304: components["responses"]["NotModifiedForSession"];
            400: components["responses"]["InvalidRequestOrInvalidCursorForSession"];
            401: components["responses"]["SessionInvalidForSession"];
            403: components["responses"]["PermissionDeniedOrFeatureNotEnabledForSession"];
            429: components["responses"]["RateLimitedForSession"];
            500: components["responses"]["InternalErrorForSession"];
            503: components["responses"]["ServiceUnavailableForSession"];
        };
    };
    listRooms: {
        parameters: {
            query?: {
                /** @description The `nextCursor` of an earlier response in the same order; one of the other order is an `INVALID_CURSOR`. Opaque; never expires. Omit it, or leave it empty, to start from the first record of the order */
                cursor?: string;
                /** @description Maximum number of records on the page. A page of large records ends earlier, at about 4 MiB */
                limit?: number;
                /** @description Only rooms with activity at or after this time */
                updated_since?: string;
                /** @description The order of the records: `asc` from the oldest to the newest, `desc` from the newest to the oldest. A cursor continues in the order that it comes from */
                order?: "asc" | "desc";
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
                    "X-Management-RateLimit-Limit": components["headers"]["X-Management-RateLimit-Limit"];
                    "X-Management-RateLimit-Remaining": components["headers"]["X-Management-RateLimit-Remaining"];
                    "X-Management-RateLimit-Reset": components["headers"]["X-Management-RateLimit-Reset"];
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
                     *           "closedAt": null,
                     *           "engagementScore": 85
                     *         }
                     *       ],
                     *       "nextCursor": "eyJmZWVkIjoiZGVjaXNpb24tcm9vbXMtbmV3ZXN0LWZpcnN0IiwiYXQiOjE3ODkwMzA4MDE3OTAsImlkIjoiNWFjMGRlYTUtY2IwYi01NmViLTk3ZjAtYjA1ZGNiMTY1NWY2In0",
                     *       "hasMore": true
                     *     }
                     */
                    "application/json": {
                        /** @description Rooms in the requested order */
                        data: components["schemas"]["ConsoleRoom"][];
                        /** @description Pass it as `cursor` to continue after this page, now or later; present even if `hasMore` is false. If a first page with `since` or `updated_since` is empty, it is the position from which that page was read, ten minutes before that time or the present */
                        nextCursor: string;
                        /** @description Whether there were more records when this page was read, or may be: a page with `since` examines at most 50,000 records, and can be empty while there are others. Rely on this field, not on the number of records */
                        hasMore: boolean;
                    };
                };
            };
            304: components["responses"]["NotModifiedForSession"];
            400: components["responses"]["InvalidRequestOrInvalidCursorForSession"];
            401: components["responses"]["SessionInvalidForSession"];
            403: components["responses"]["PermissionDeniedOrFeatureNotEnabledForSession"];
            429: components["responses"]["RateLimitedForSession"];
            500: components["responses"]["InternalErrorForSession"];
            503: components["responses"]["ServiceUnavailableForSession"];
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
                    "X-Management-RateLimit-Limit": components["headers"]["X-Management-RateLimit-Limit"];
                    "X-Management-RateLimit-Remaining": components["headers"]["X-Management-RateLimit-Remaining"];
                    "X-Management-RateLimit-Reset": components["headers"]["X-Management-RateLimit-Reset"];
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
            304: components["responses"]["NotModifiedForSession"];
            401: components["responses"]["SessionInvalidForSession"];
            403: components["responses"]["PermissionDeniedOrFeatureNotEnabledForSession"];
            404: components["responses"]["NotFoundForSession"];
            429: components["responses"]["RateLimitedForSession"];
            500: components["responses"]["InternalErrorForSession"];
            503: components["responses"]["ServiceUnavailableForSession"];
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
                    "X-Management-RateLimit-Limit": components["headers"]["X-Management-RateLimit-Limit"];
                    "X-Management-RateLimit-Remaining": components["headers"]["X-Management-RateLimit-Remaining"];
                    "X-Management-RateLimit-Reset": components["headers"]["X-Management-RateLimit-Reset"];
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
            304: components["responses"]["NotModifiedForSession"];
            401: components["responses"]["SessionInvalidForSession"];
            403: components["responses"]["PermissionDeniedOrFeatureNotEnabledForSession"];
            404: components["responses"]["NotFoundForSession"];
            429: components["responses"]["RateLimitedForSession"];
            500: components["responses"]["InternalErrorForSession"];
            503: components["responses"]["ServiceUnavailableForSession"];
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
                    "X-Management-RateLimit-Limit": components["headers"]["X-Management-RateLimit-Limit"];
                    "X-Management-RateLimit-Remaining": components["headers"]["X-Management-RateLimit-Remaining"];
                    "X-Management-RateLimit-Reset": components["headers"]["X-Management-RateLimit-Reset"];
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
            304: components["responses"]["NotModifiedForSession"];
            400: components["responses"]["InvalidRequestOrInvalidCursorForSession"];
            401: components["responses"]["SessionInvalidForSession"];
            403: components["responses"]["PermissionDeniedOrFeatureNotEnabledForSession"];
            429: components["responses"]["RateLimitedForSession"];
            500: components["responses"]["InternalErrorForSession"];
            503: components["responses"]["ServiceUnavailableForSession"];
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
                    "X-Management-RateLimit-Limit": components["headers"]["X-Management-RateLimit-Limit"];
                    "X-Management-RateLimit-Remaining": components["headers"]["X-Management-RateLimit-Remaining"];
                    "X-Management-RateLimit-Reset": components["headers"]["X-Management-RateLimit-Reset"];
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
            304: components["responses"]["NotModifiedForSession"];
            401: components["responses"]["SessionInvalidForSession"];
            403: components["responses"]["PermissionDeniedOrFeatureNotEnabledForSession"];
            404: components["responses"]["NotFoundForSession"];
            429: components["responses"]["RateLimitedForSession"];
            500: components["responses"]["InternalErrorForSession"];
            503: components["responses"]["ServiceUnavailableForSession"];
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
                    "X-Management-RateLimit-Limit": components["headers"]["X-Management-RateLimit-Limit"];
                    "X-Management-RateLimit-Remaining": components["headers"]["X-Management-RateLimit-Remaining"];
                    "X-Management-RateLimit-Reset": components["headers"]["X-Management-RateLimit-Reset"];
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
            304: components["responses"]["NotModifiedForSession"];
            400: components["responses"]["InvalidRequestOrInvalidCursorForSession"];
            401: components["responses"]["SessionInvalidForSession"];
            403: components["responses"]["PermissionDeniedOrFeatureNotEnabledForSession"];
            429: components["responses"]["RateLimitedForSession"];
            500: components["responses"]["InternalErrorForSession"];
            503: components["responses"]["ServiceUnavailableForSession"];
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
                    "X-Management-RateLimit-Limit": components["headers"]["X-Management-RateLimit-Limit"];
                    "X-Management-RateLimit-Remaining": components["headers"]["X-Management-RateLimit-Remaining"];
                    "X-Management-RateLimit-Reset": components["headers"]["X-Management-RateLimit-Reset"];
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
            304: components["responses"]["NotModifiedForSession"];
            401: components["responses"]["SessionInvalidForSession"];
            403: components["responses"]["PermissionDeniedOrFeatureNotEnabledForSession"];
            404: components["responses"]["NotFoundForSession"];
            429: components["responses"]["RateLimitedForSession"];
            500: components["responses"]["InternalErrorForSession"];
            503: components["responses"]["ServiceUnavailableForSession"];
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
                    "X-Management-RateLimit-Limit": components["headers"]["X-Management-RateLimit-Limit"];
                    "X-Management-RateLimit-Remaining": components["headers"]["X-Management-RateLimit-Remaining"];
                    "X-Management-RateLimit-Reset": components["headers"]["X-Management-RateLimit-Reset"];
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
            304: components["responses"]["NotModifiedForSession"];
            400: components["responses"]["InvalidRequestOrInvalidCursorForSession"];
            401: components["responses"]["SessionInvalidForSession"];
            403: components["responses"]["PermissionDeniedOrFeatureNotEnabledForSession"];
            429: components["responses"]["RateLimitedForSession"];
            500: components["responses"]["InternalErrorForSession"];
            503: components["responses"]["ServiceUnavailableForSession"];
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
                    "X-Management-RateLimit-Limit": components["headers"]["X-Management-RateLimit-Limit"];
                    "X-Management-RateLimit-Remaining": components["headers"]["X-Management-RateLimit-Remaining"];
                    "X-Management-RateLimit-Reset": components["headers"]["X-Management-RateLimit-Reset"];
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
            304: components["responses"]["NotModifiedForSession"];
            401: components["responses"]["SessionInvalidForSession"];
            403: components["responses"]["PermissionDeniedOrFeatureNotEnabledForSession"];
            404: components["responses"]["NotFoundForSession"];
            429: components["responses"]["RateLimitedForSession"];
            500: components["responses"]["InternalErrorForSession"];
            503: components["responses"]["ServiceUnavailableForSession"];
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
                    "X-Management-RateLimit-Limit": components["headers"]["X-Management-RateLimit-Limit"];
                    "X-Management-RateLimit-Remaining": components["headers"]["X-Management-RateLimit-Remaining"];
                    "X-Management-RateLimit-Reset": components["headers"]["X-Management-RateLimit-Reset"];
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
            304: components["responses"]["NotModifiedForSession"];
            400: components["responses"]["InvalidRequestOrInvalidCursorForSession"];
            401: components["responses"]["SessionInvalidForSession"];
            403: components["responses"]["PermissionDeniedOrFeatureNotEnabledForSession"];
            429: components["responses"]["RateLimitedForSession"];
            500: components["responses"]["InternalErrorForSession"];
            503: components["responses"]["ServiceUnavailableForSession"];
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
                    "X-Management-RateLimit-Limit": components["headers"]["X-Management-RateLimit-Limit"];
                    "X-Management-RateLimit-Remaining": components["headers"]["X-Management-RateLimit-Remaining"];
                    "X-Management-RateLimit-Reset": components["headers"]["X-Management-RateLimit-Reset"];
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
            304: components["responses"]["NotModifiedForSession"];
            401: components["responses"]["SessionInvalidForSession"];
            403: components["responses"]["PermissionDeniedOrFeatureNotEnabledForSession"];
            404: components["responses"]["NotFoundForSession"];
            429: components["responses"]["RateLimitedForSession"];
            500: components["responses"]["InternalErrorForSession"];
            503: components["responses"]["ServiceUnavailableForSession"];
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
                    "X-Management-RateLimit-Limit": components["headers"]["X-Management-RateLimit-Limit"];
                    "X-Management-RateLimit-Remaining": components["headers"]["X-Management-RateLimit-Remaining"];
                    "X-Management-RateLimit-Reset": components["headers"]["X-Management-RateLimit-Reset"];
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
            304: components["responses"]["NotModifiedForSession"];
            401: components["responses"]["SessionInvalidForSession"];
            403: components["responses"]["PermissionDeniedOrFeatureNotEnabledForSession"];
            404: components["responses"]["NotFoundForSession"];
            429: components["responses"]["RateLimitedForSession"];
            500: components["responses"]["InternalErrorForSession"];
            503: components["responses"]["ServiceUnavailableForSession"];
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
                    "X-Management-RateLimit-Limit": components["headers"]["X-Management-RateLimit-Limit"];
                    "X-Management-RateLimit-Remaining": components["headers"]["X-Management-RateLimit-Remaining"];
                    "X-Management-RateLimit-Reset": components["headers"]["X-Management-RateLimit-Reset"];
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
            304: components["responses"]["NotModifiedForSession"];
            400: components["responses"]["InvalidRequestOrInvalidCursorForSession"];
            401: components["responses"]["SessionInvalidForSession"];
            403: components["responses"]["PermissionDeniedOrFeatureNotEnabledForSession"];
            429: components["responses"]["RateLimitedForSession"];
            500: components["responses"]["InternalErrorForSession"];
            503: components["responses"]["ServiceUnavailableForSession"];
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
                    "X-Management-RateLimit-Limit": components["headers"]["X-Management-RateLimit-Limit"];
                    "X-Management-RateLimit-Remaining": components["headers"]["X-Management-RateLimit-Remaining"];
                    "X-Management-RateLimit-Reset": components["headers"]["X-Management-RateLimit-Reset"];
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
                     *             "message": "This is a test event: somebody has asked whether this endpoint works."
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
            304: components["responses"]["NotModifiedForSession"];
            401: components["responses"]["SessionInvalidForSession"];
            403: components["responses"]["PermissionDeniedOrFeatureNotEnabledForSession"];
            404: components["responses"]["NotFoundForSession"];
            429: components["responses"]["RateLimitedForSession"];
            500: components["responses"]["InternalErrorForSession"];
            503: components["responses"]["ServiceUnavailableForSession"];
        };
    };
    listLatestErasures: {
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
                    "X-Management-RateLimit-Limit": components["headers"]["X-Management-RateLimit-Limit"];
                    "X-Management-RateLimit-Remaining": components["headers"]["X-Management-RateLimit-Remaining"];
                    "X-Management-RateLimit-Reset": components["headers"]["X-Management-RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "0d3f6c5a-7a0e-4f0e-9a51-6e1c0c1d7b2f",
                     *           "kind": "person",
                     *           "buyerSpaceId": null,
                     *           "people": 1,
                     *           "isDone": true,
                     *           "at": "2026-09-12T08:00:04.120Z"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["ShownErasure"][];
                    };
                };
            };
            304: components["responses"]["NotModifiedForSession"];
            401: components["responses"]["SessionInvalidForSession"];
            403: components["responses"]["PermissionDeniedOrFeatureNotEnabledForSession"];
            429: components["responses"]["RateLimitedForSession"];
            500: components["responses"]["InternalErrorForSession"];
            503: components["responses"]["ServiceUnavailableForSession"];
        };
    };
    createErasure: {
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
                 *       "email": "giulia.tremblay@underhill-tools.example"
                 *     }
                 */
                "application/json": {
                    /** @description The address of a person, in upper or lower case */
                    email?: string;
                    /**
                     * Format: uuid
                     * @description The id of a person. A person with an address is erased in all rooms
                     */
                    personId?: string;
                    /**
                     * Format: uuid
                     * @description The id of a room
                     */
                    buyerSpaceId?: string;
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
                    "X-Management-RateLimit-Limit": components["headers"]["X-Management-RateLimit-Limit"];
                    "X-Management-RateLimit-Remaining": components["headers"]["X-Management-RateLimit-Remaining"];
                    "X-Management-RateLimit-Reset": components["headers"]["X-Management-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "0d3f6c5a-7a0e-4f0e-9a51-6e1c0c1d7b2f",
                     *         "people": 1
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: {
                            /** Format: uuid */
                            id: string;
                            /** @description Number of people, counted once per room */
                            people: number;
                        };
                    };
                };
            };
            400: components["responses"]["InvalidRequestForSession"];
            401: components["responses"]["SessionInvalidForSession"];
            403: components["responses"]["PermissionDeniedOrFeatureNotEnabledForSession"];
            413: components["responses"]["PayloadTooLargeForSession"];
            429: components["responses"]["RateLimitedForSession"];
            500: components["responses"]["InternalErrorForSession"];
            503: components["responses"]["ServiceUnavailableForSession"];
        };
    };
    previewErasure: {
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
                 *       "email": "giulia.tremblay@underhill-tools.example"
                 *     }
                 */
                "application/json": {
                    /** @description The address of a person, in upper or lower case */
                    email?: string;
                    /**
                     * Format: uuid
                     * @description The id of a person. A person with an address is erased in all rooms
                     */
                    personId?: string;
                    /**
                     * Format: uuid
                     * @description The id of a room
                     */
                    buyerSpaceId?: string;
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
                    "X-Management-RateLimit-Limit": components["headers"]["X-Management-RateLimit-Limit"];
                    "X-Management-RateLimit-Remaining": components["headers"]["X-Management-RateLimit-Remaining"];
                    "X-Management-RateLimit-Reset": components["headers"]["X-Management-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "people": 1,
                     *       "distributions": 1,
                     *       "rooms": 0,
                     *       "calls": 0,
                     *       "documents": 0,
                     *       "actionItems": 0,
                     *       "messages": 1,
                     *       "esignDocuments": 0,
                     *       "engagementEvents": 1,
                     *       "engagementViews": 0,
                     *       "auditRecords": 0,
                     *       "webhookEvents": 1,
                     *       "responses": 0,
                     *       "isComplete": true
                     *     }
                     */
                    "application/json": components["schemas"]["ErasurePreview"];
                };
            };
            400: components["responses"]["InvalidRequestForSession"];
            401: components["responses"]["SessionInvalidForSession"];
            403: components["responses"]["PermissionDeniedOrFeatureNotEnabledForSession"];
            413: components["responses"]["PayloadTooLargeForSession"];
            429: components["responses"]["RateLimitedForSession"];
            500: components["responses"]["InternalErrorForSession"];
            503: components["responses"]["ServiceUnavailableForSession"];
        };
    };
    listAuditRecords: {
        parameters: {
            query?: {
                /** @description The order of the records: `asc` from the oldest to the newest, `desc` from the newest to the oldest. A cursor continues in the order that it comes from */
                order?: "asc" | "desc";
                /** @description The `nextCursor` of an earlier response in the same order; one of the other order is an `INVALID_CURSOR`. In ascending order it is the last id received, so the id of any record also works. Never expires. Omit it, or leave it empty, to start from the first record of the order */
                cursor?: string;
                /** @description Maximum number of records on the page. A page of large records ends earlier, at about 4 MiB */
                limit?: number;
                /** @description Only records of this action */
                action?: "api_key.created" | "api_key.rotated" | "api_key.revoked" | "webhook.created" | "webhook.updated" | "webhook.removed" | "webhook.disabled" | "webhook.secret_rotated" | "webhook.pinged" | "webhook.url_tested" | "delivery.retried" | "deliveries.retried" | "deliveries.dismissed" | "delivery.resent" | "deliveries.resent" | "erasure.requested" | "request.refused" | "workspace.api_disabled" | "workspace.api_enabled";
                /** @description Only records of this user */
                user_id?: number;
                /** @description Only records about the object of this type whose id is in `object_id` */
                object_type?: "api_key" | "webhook" | "delivery" | "erasure" | "operation" | "workspace";
                /** @description Id of the object; needs `object_type` */
                object_id?: string;
                /** @description Only records of this time or later */
                since?: string;
                /** @description Only records before this time */
                until?: string;
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
                    "X-Management-RateLimit-Limit": components["headers"]["X-Management-RateLimit-Limit"];
                    "X-Management-RateLimit-Remaining": components["headers"]["X-Management-RateLimit-Remaining"];
                    "X-Management-RateLimit-Reset": components["headers"]["X-Management-RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "1789030800000000",
                     *           "at": "2026-09-10T09:00:01.961Z",
                     *           "userId": 501,
                     *           "apiKeyId": null,
                     *           "action": "api_key.created",
                     *           "objectType": "api_key",
                     *           "objectId": "1",
                     *           "requestId": "0b0c2b1e-5d0c-4a3f-9a52-6b4f3d0e9c11",
                     *           "serverRequestId": "0b0c2b1e-5d0c-4a3f-9a52-6b4f3d0e9c11",
                     *           "ipAddress": "192.0.2.7",
                     *           "details": {
                     *             "name": "Data warehouse",
                     *             "prefix": "dsk_live_ZxTH",
                     *             "scopes": [
                     *               "read"
                     *             ],
                     *             "allowedNetworks": null,
                     *             "expiresAt": null
                     *           },
                     *           "userName": "Maren Holt"
                     *         }
                     *       ],
                     *       "nextCursor": "1789030800000000",
                     *       "hasMore": true
                     *     }
                     */
                    "application/json": {
                        /** @description Records in the requested order */
                        data: components["schemas"]["ConsoleAuditRecord"][];
                        /** @description Pass it as `cursor` to continue after this page, now or later; present even if `hasMore` is false. If a first page with `since` or `updated_since` is empty, it is the position from which that page was read, ten minutes before that time or the present */
                        nextCursor: string;
                        /** @description Whether there were more records when this page was read, or may be: a page with `since` examines at most 50,000 records, and can be empty while there are others. Rely on this field, not on the number of records */
                        hasMore: boolean;
                    };
                };
            };
            304: components["responses"]["NotModifiedForSession"];
            400: components["responses"]["InvalidRequestOrInvalidCursorForSession"];
            401: components["responses"]["SessionInvalidForSession"];
            403: components["responses"]["PermissionDeniedOrFeatureNotEnabledForSession"];
            429: components["responses"]["RateLimitedForSession"];
            500: components["responses"]["InternalErrorForSession"];
            503: components["responses"]["ServiceUnavailableForSession"];
        };
    };
}
