-- Workspace 1: a million events, 200,000 views, 100,000 calls and rooms, 300,000 deliveries, over a year, 200,000 audit
-- records, 20,000 keys. Workspace 2: one row after every ten of those, so a query cannot ignore the workspace. Workspace 3:
-- one endpoint with more dead deliveries than one call retries, and events and deliveries whose types are not distributed as
-- those of the others, which mislead the planner's statistics. Foreign keys are not checked, which would take most of the
-- time; they hold in workspace 1.
SET session_replication_role = replica;
SET maintenance_work_mem = '256MB';

CREATE FUNCTION pg_temp.uuid_of(n bigint) RETURNS uuid LANGUAGE sql IMMUTABLE
  RETURN ('00000000-0000-4000-8000-' || lpad(n::text, 12, '0'))::uuid;
-- Returns the moment when a share of the year has passed.
CREATE FUNCTION pg_temp.moment(share float8) RETURNS timestamptz LANGUAGE sql IMMUTABLE
  RETURN to_timestamp(1759276800 + share * 31536000);
-- Returns the id of the n-th row of its workspace, recorded at that moment.
CREATE FUNCTION pg_temp.id_at(share float8, n bigint) RETURNS bigint LANGUAGE sql IMMUTABLE
  RETURN (1759276800 + share * 31536000)::bigint * 1000000 + n % 1000000;

-- Indexes are built once, after all rows.
CREATE TEMP TABLE rebuilt AS
  SELECT format('ALTER TABLE %s DROP CONSTRAINT %I', conrelid::regclass, conname) AS drop,
         format('ALTER TABLE %s ADD CONSTRAINT %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) AS build
  FROM pg_constraint
  WHERE conrelid IN ('engagement_events'::regclass, 'engagement_views'::regclass, 'webhook_delivery_subjects'::regclass)
    AND contype IN ('p', 'u')
  UNION ALL
  SELECT format('DROP INDEX %s', indexrelid::regclass), pg_get_indexdef(indexrelid) FROM pg_index
  WHERE indrelid IN ('engagement_events'::regclass, 'engagement_views'::regclass, 'calls'::regclass, 'rooms'::regclass,
                     'distributions'::regclass, 'webhook_deliveries'::regclass)
    AND NOT indisprimary
    AND NOT EXISTS (SELECT FROM pg_constraint WHERE conindid = indexrelid);
DO $$ DECLARE i record; BEGIN FOR i IN SELECT * FROM rebuilt LOOP EXECUTE i.drop; END LOOP; END $$;

INSERT INTO companies (id, name) SELECT n, 'Company ' || n FROM generate_series(1, 3) n;
INSERT INTO feed_clocks (company_id, at) SELECT n, pg_temp.moment(0) FROM generate_series(1, 3) n;
INSERT INTO users (company_id, id, name, email)
  SELECT c, n, 'Seller ' || n, n || '@example.com' FROM generate_series(1, 2) c, generate_series(1, 500) n;

-- No room is dormant, and only the last 50 are lost.
INSERT INTO rooms (company_id, id, name, status, owner_id, created_at, last_activity_at, object_text)
SELECT c, pg_temp.uuid_of(n), 'Room ' || n,
       (CASE WHEN n > 99950 THEN 'lost' WHEN n % 5 = 0 THEN 'won' ELSE 'open' END)::room_status,
       n % 500 + 1, pg_temp.moment(0), pg_temp.moment(n / 100000.0), pg_temp.room_text(pg_temp.uuid_of(n)::text)
FROM (SELECT g - g / 11 AS n, CASE WHEN g % 11 = 0 THEN 2 ELSE 1 END AS c FROM generate_series(1, 110000) g) row;

-- Room 1 has 1,000 calls, each other room has one. Most demos have a summary, meetings have none, and only the last
-- qualifying calls have one.
INSERT INTO calls (company_id, id, kind, status, occurred_at, updated_at, owner_id, title, duration_seconds, room_id, summary,
                   object_text)
SELECT c, pg_temp.uuid_of(n), kind::call_kind,
       (CASE WHEN n % 50 = 0 THEN 'failed' ELSE 'completed' END)::call_status,
       pg_temp.moment(n / 100000.0), pg_temp.moment(n / 100000.0), n % 500 + 1, 'Call ' || n, 1800,
       pg_temp.uuid_of(CASE WHEN n % 100 = 0 THEN 1 ELSE n END),
       CASE WHEN kind = 'demo' AND n % 10 > 0 OR kind = 'qualifying_call' AND n > 99950
            THEN json_build_object('schema', '1', 'headline', repeat('headline ', 30)) END,
       pg_temp.call_text(pg_temp.uuid_of(n)::text)
FROM (SELECT g - g / 11 AS n, CASE WHEN g % 11 = 0 THEN 2 ELSE 1 END AS c,
             (ARRAY['demo', 'qualifying_call', 'meeting'])[g % 3 + 1] AS kind
      FROM generate_series(1, 110000) g) row;

-- Two links for each room, and 2,000 for room 2. One in twenty shares call 1, the others share one of 10,000 calls, and only
-- the last ones call 100000.
INSERT INTO distributions (company_id, id, room_id, call_id, identity, recipient_name, recipient_email, updated_at)
SELECT c, pg_temp.uuid_of(n), pg_temp.uuid_of(CASE WHEN n % 100 = 0 THEN 2 ELSE (n - 1) % 100000 + 1 END),
       pg_temp.uuid_of(CASE WHEN n > 199950 THEN 100000 WHEN n % 20 = 0 THEN 1 ELSE n % 10000 + 2 END),
       'email:' || n || '@example.org', 'Person ' || n, n || '@example.org', pg_temp.moment(n / 200000.0)
FROM (SELECT g - g / 11 AS n, CASE WHEN g % 11 = 0 THEN 2 ELSE 1 END AS c FROM generate_series(1, 220000) g) row;
-- Room 2 has 1,000 documents, contracts and members, each other room has one.
INSERT INTO documents (company_id, id, room_id, title, category, updated_at)
SELECT c, pg_temp.uuid_of(n), pg_temp.uuid_of(CASE WHEN n > 100000 THEN 2 ELSE n END), 'Document ' || n, 'pricing',
       pg_temp.moment(n / 101000.0)
FROM (SELECT g - g / 11 AS n, CASE WHEN g % 11 = 0 THEN 2 ELSE 1 END AS c FROM generate_series(1, 111100) g) row;
INSERT INTO room_members (company_id, room_id, identity, email)
SELECT c, pg_temp.uuid_of(CASE WHEN n > 100000 THEN 2 ELSE n END), 'email:' || n || '@example.org', n || '@example.org'
FROM (SELECT g - g / 11 AS n, CASE WHEN g % 11 = 0 THEN 2 ELSE 1 END AS c FROM generate_series(1, 111100) g) row;
INSERT INTO action_items (company_id, id, room_id, title)
SELECT 1, pg_temp.uuid_of(n), pg_temp.uuid_of(n), 'Item ' || n FROM generate_series(1, 20000) n;
INSERT INTO messages (company_id, key, room_id, side, sent_at)
SELECT 1, n::text, pg_temp.uuid_of(n), 'seller', pg_temp.moment(0) FROM generate_series(1, 20000) n;
INSERT INTO esign_documents (company_id, id, room_id, vendor, envelope_id, status, updated_at)
SELECT c, lpad(n::text, 12, '0'), pg_temp.uuid_of(CASE WHEN n > 100000 THEN 2 ELSE n END), 'vendor', n::text, 'sent',
       pg_temp.moment(n / 101000.0)
FROM (SELECT g - g / 11 AS n, CASE WHEN g % 11 = 0 THEN 2 ELSE 1 END AS c FROM generate_series(1, 111100) g) row;

-- Ten events for each room, and 5,000 more in room 1. Comments are rare. Only the last 50 events are forwards, and only
-- those refer to call 100000. Moments are slightly out of order.
INSERT INTO engagement_events (company_id, id, source, key, type, occurred_at, identity, demo_id, distribution_id, buyer_space_id,
                               doc_id, object_text)
SELECT c, pg_temp.id_at((n + 120) / 1000000.0, n), 'event', lpad(g::text, 8, '0'),
       CASE WHEN n > 999950 THEN 'forward' WHEN n % 5000 = 7 THEN 'comment' WHEN n % 10 < 2 THEN 'trailer_view'
            WHEN n % 10 = 2 THEN 'doc_open' ELSE 'room_visit' END,
       pg_temp.moment(n / 1000000.0) + (g * 79 % 3600) * '1 second'::interval, 'link:' || pg_temp.uuid_of(d),
       pg_temp.uuid_of(CASE WHEN n > 999950 THEN 100000 WHEN d % 20 = 0 THEN 1 ELSE d % 10000 + 2 END),
       pg_temp.uuid_of(d), pg_temp.uuid_of((d - 1) % 100000 + 1),
       CASE WHEN n % 10 = 2 AND d <= 20000 THEN pg_temp.uuid_of(d) END,
       pg_temp.event_text(pg_temp.id_at((n + 120) / 1000000.0, n)::text)
FROM (SELECT g, g - g / 11 AS n, CASE WHEN g % 11 = 0 THEN 2 ELSE 1 END AS c FROM generate_series(1, 1100000) g) row
CROSS JOIN LATERAL (SELECT CASE WHEN n % 200 = 7 THEN 1 ELSE n % 200000 + 1 END AS d) link
ORDER BY g;

-- The type of most events elsewhere is that of the last 50 here.
INSERT INTO engagement_events (company_id, id, source, key, type, occurred_at, buyer_space_id, object_text)
SELECT 3, pg_temp.id_at(n / 100000.0, n), 'event', n::text, CASE WHEN n > 99950 THEN 'room_visit' ELSE 'download' END,
       pg_temp.moment(n / 100000.0), pg_temp.uuid_of(3000000), pg_temp.event_text(pg_temp.id_at(n / 100000.0, n)::text)
FROM generate_series(1, 100000) n;

-- One view for each link, and 1,000 more over link 1.
INSERT INTO engagement_views (company_id, id, key, kind, started_at, ended_at, identity, distribution_id, demo_id,
                              buyer_space_id, watch_seconds, unique_seconds, duration_seconds, completion_percent, segments, object_text)
SELECT c, pg_temp.id_at(n / 200000.0, n), lpad(g::text, 8, '0'), 'trailer', pg_temp.moment(n / 200000.0), pg_temp.moment(n / 200000.0),
       'link:' || pg_temp.uuid_of(d), pg_temp.uuid_of(d),
       pg_temp.uuid_of(CASE WHEN n > 199950 THEN 100000 WHEN d % 20 = 0 THEN 1 ELSE d % 10000 + 2 END),
       pg_temp.uuid_of((d - 1) % 100000 + 1), 90, 60, 1800, 3, '[[0, 60], [30, 60]]',
       pg_temp.view_text(pg_temp.id_at(n / 200000.0, n)::text)
FROM (SELECT g, g - g / 11 AS n, CASE WHEN g % 11 = 0 THEN 2 ELSE 1 END AS c FROM generate_series(1, 220000) g) row
CROSS JOIN LATERAL (SELECT CASE WHEN n % 200 = 7 THEN 1 ELSE n % 200000 + 1 END AS d) link
ORDER BY g;

-- Three deliveries for each event, one to each endpoint, with contiguous ids. Endpoint 4 has only the last 50. Events of contracts are rare. One
-- event in 200 is about room 1, call 1 or a busy person, and only the last ones are about call 100000.
INSERT INTO webhook_endpoints (company_id, id, url, events, secret_ciphertext)
SELECT c, c * 10 + n, 'https://example.com', '{*}', '-' FROM generate_series(1, 2) c, generate_series(1, 4) n;
INSERT INTO webhook_events (company_id, id, type, created_at, body, buyer_space_id, call_id, identity)
SELECT 1, pg_temp.uuid_of(n), 'engagement.recorded', pg_temp.moment(0), '{}',
       pg_temp.uuid_of(CASE WHEN n % 200 = 0 THEN 1 ELSE n END),
       pg_temp.uuid_of(CASE WHEN n > 99950 THEN 100000 WHEN n % 200 < 2 THEN 1 ELSE n % 10000 + 2 END),
       'email:' || CASE WHEN n % 200 < 3 THEN 'busy' ELSE n % 20000 || '' END || '@example.org'
FROM generate_series(1, 100000) n;
CREATE TEMP TABLE filled AS
SELECT c AS company_id, pg_temp.id_at(e / 100000.0, n) AS id, c * 10 + CASE WHEN n > 299950 THEN 4 ELSE n % 3 + 1 END AS endpoint_id,
       pg_temp.uuid_of(e) AS event_id, pg_temp.moment(e / 100000.0) AS created_at,
       CASE WHEN e % 10000 = 7 THEN 'decision_room.esign.updated' WHEN e % 10 = 0 THEN 'decision_room.updated'
            ELSE 'engagement.recorded' END AS event_type,
       CASE WHEN n > 290000 THEN 'pending' WHEN n % 50 = 0 THEN 'dead' ELSE 'delivered' END AS status
FROM (SELECT g - g / 11 AS n, CASE WHEN g % 11 = 0 THEN 2 ELSE 1 END AS c FROM generate_series(1, 330000) g) row
CROSS JOIN LATERAL (SELECT (n - 1) / 3 + 1 AS e) AS event
ORDER BY id;
INSERT INTO pending_deliveries (company_id, id, endpoint_id, event_id, event_type, attempts, created_at, next_attempt_at, ready)
SELECT company_id, id, endpoint_id, event_id, event_type, 1, created_at, pg_temp.moment(2), false
FROM filled WHERE status = 'pending';
INSERT INTO webhook_deliveries (company_id, id, endpoint_id, event_id, event_type, status, attempts, created_at, delivered_at)
SELECT company_id, id, endpoint_id, event_id, event_type, status::delivery_status, 1, created_at,
       CASE WHEN status = 'delivered' THEN created_at END
FROM filled WHERE status <> 'pending';

-- All deliveries of workspace 2 are about its room 1.
INSERT INTO webhook_delivery_subjects (company_id, kind, subject, first_delivery_id, deliveries)
SELECT d.company_id, s.kind, s.subject, d.first_id, d.deliveries
FROM (
  SELECT company_id, event_id, event_type, min(id) AS first_id, count(*) AS deliveries FROM filled GROUP BY 1, 2, 3
) AS d
LEFT JOIN webhook_events e ON e.company_id = d.company_id AND e.id = d.event_id
CROSS JOIN LATERAL delivery_subjects(
  d.event_id, d.event_type, CASE WHEN d.company_id = 2 THEN pg_temp.uuid_of(1) ELSE e.buyer_space_id END, e.call_id, e.identity
) AS s
ORDER BY d.first_id;

INSERT INTO webhook_endpoints (company_id, id, url, events, secret_ciphertext) VALUES (3, 31, 'https://example.com', '{*}', '-');
INSERT INTO webhook_events (company_id, id, type, created_at, body)
VALUES (3, pg_temp.uuid_of(1), 'engagement.recorded', pg_temp.moment(0), '{}');
INSERT INTO webhook_deliveries (company_id, id, endpoint_id, event_id, event_type, status, attempts, created_at, delivered_at)
SELECT 3, pg_temp.id_at(n / 300000.0, n), 31, pg_temp.uuid_of(1),
       CASE WHEN n > 299950 THEN 'engagement.recorded' ELSE 'call.completed' END,
       (CASE WHEN n % 10 = 0 THEN 'dead' ELSE 'delivered' END)::delivery_status, 8, pg_temp.moment(n / 300000.0),
       CASE WHEN n % 10 > 0 THEN pg_temp.moment(n / 300000.0) END
FROM generate_series(1, 300000) n;
INSERT INTO webhook_delivery_subjects (company_id, kind, subject, first_delivery_id, deliveries)
SELECT 3, 'type', text_subject(event_type), id, 1 FROM webhook_deliveries WHERE company_id = 3;
-- One attempt for each delivery, and 2,000 more for the first.
INSERT INTO webhook_attempts (company_id, delivery_id, number, started_at, duration_ms, status_code)
SELECT d.company_id, d.id, CASE WHEN n > 100000 THEN n - 99999 ELSE 1 END, pg_temp.moment(0), 5, 500
FROM generate_series(1, 102000) n
CROSS JOIN LATERAL (SELECT CASE WHEN n > 100000 THEN 1 ELSE n END AS place) AS of_delivery
JOIN webhook_deliveries d ON d.company_id = 1 AND d.id = pg_temp.id_at(((place - 1) / 3 + 1) / 100000.0, place);

INSERT INTO api_keys (company_id, name, prefix, key_hash, scopes)
SELECT CASE WHEN n % 11 = 0 THEN 2 ELSE 1 END, 'Key ' || n, 'dsk_live_0000', decode(lpad(n::text, 64, '0'), 'hex'), '{read}'
FROM generate_series(1, 22000) n;
INSERT INTO audit_records (company_id, id, at, user_id, request_id, action, object_type, object_id)
SELECT CASE WHEN n % 11 = 0 THEN 2 ELSE 1 END, pg_temp.id_at(n / 220000.0, n), pg_temp.moment(n / 220000.0), n % 500 + 1, n::text,
       CASE WHEN n % 100 = 0 THEN 'api_key.revoked' ELSE 'webhook.updated' END,
       CASE WHEN n % 100 = 0 THEN 'api_key' ELSE 'webhook' END, (n % 40)::text
FROM generate_series(1, 220000) n;

DO $$ DECLARE i record; BEGIN FOR i IN SELECT * FROM rebuilt LOOP EXECUTE i.build; END LOOP; END $$;

-- The data that capture derives from the rows it writes.
ANALYZE;
SELECT rebuild_room_roll_ups(company_id, array_agg(id)) FROM rooms GROUP BY company_id;
-- The people changed at different times, and not all when they were computed.
CREATE TEMP TABLE computed AS
  SELECT *, row_number() OVER (PARTITION BY company_id ORDER BY identity) AS n FROM people;
TRUNCATE people;
INSERT INTO people (company_id, id, room_id, identity, email, name, role, title, in_committee, updated_at)
SELECT company_id, pg_temp.uuid_of(n), room_id, identity, email, name, role, title, in_committee, pg_temp.moment(n / 300000.0)
FROM computed;

INSERT INTO erasures (company_id, id, erased_at, object_text)
SELECT 1, pg_temp.uuid_of(n), pg_temp.moment(n / 100000.0), '{"id": 1}' FROM generate_series(1, 100000) n;

-- Nearly all words of people are common to all of them, and so are the first words of rooms and calls.
SELECT rebuild_search_names(id) FROM companies;
