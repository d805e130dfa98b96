-- The heat-maps: how often each bucket of a recording was played through a share link. They are stored as steps, the differences
-- from one bucket to the next, so a pass over any number of buckets changes two numbers.

-- Returns the length of a bucket of a heat-map, which has at most 200 buckets.
CREATE OR REPLACE FUNCTION heatmap_bucket_seconds(duration_seconds int) RETURNS int LANGUAGE sql IMMUTABLE
  RETURN CASE WHEN duration_seconds > 0 THEN (duration_seconds - 1) / 200 + 1 END;

-- Adds 1 to the steps of the positive numbers, and subtracts 1 from those of the negative ones.
CREATE OR REPLACE FUNCTION with_steps(steps int[], edges int[]) RETURNS int[] LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE
  edge int;
BEGIN
  FOREACH edge IN ARRAY coalesce(edges, '{}') LOOP
    steps[abs(edge)] := steps[abs(edge)] + sign(edge)::int;
  END LOOP;
  RETURN steps;
END $$;

-- Adds views of recordings to the heat-maps of their links.
CREATE OR REPLACE FUNCTION roll_up_heatmaps(workspace int, view_ids bigint[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  WITH played AS (
    SELECT v.id, v.distribution_id, v.demo_id, s.n, s.from_ms, s.to_ms,
           c.duration_seconds * 1000::bigint AS end_ms,
           heatmap_bucket_seconds(c.duration_seconds) * 1000::bigint AS bucket_ms,
           s.from_ms IS DISTINCT FROM lag(s.to_ms) OVER (PARTITION BY v.id ORDER BY s.n) AS begins
    FROM engagement_views v
    CROSS JOIN LATERAL calls_of(workspace, ARRAY[v.demo_id]) AS c
    CROSS JOIN LATERAL segments_ms(v.segments) AS s
    WHERE v.company_id = workspace AND v.id = ANY (view_ids) AND v.kind = 'trailer' AND c.duration_seconds > 0
  ), numbered AS (
    SELECT *, count(*) FILTER (WHERE begins) OVER (PARTITION BY id ORDER BY n) AS pass FROM played
  ), passes AS (
    -- Players report in parts: ranges that continue each other are one pass.
    SELECT id, distribution_id, demo_id, end_ms, bucket_ms, min(from_ms) AS from_ms, least(max(to_ms), end_ms) AS to_ms
    FROM numbered GROUP BY id, pass, distribution_id, demo_id, end_ms, bucket_ms
    HAVING min(from_ms) < least(max(to_ms), end_ms)
  ), touched AS (
    SELECT *, from_ms / bucket_ms AS first, (to_ms - 1) / bucket_ms AS last FROM passes
  ), bounded AS (
    SELECT *, first * bucket_ms AS first_start, least((first + 1) * bucket_ms, end_ms) AS first_end,
           last * bucket_ms AS last_start, least((last + 1) * bucket_ms, end_ms) AS last_end
    FROM touched
  ), halves AS (
    -- A pass plays every bucket between its first and its last one. Of those two it may play less than half.
    SELECT distribution_id, demo_id,
           first + (2 * (least(to_ms, first_end) - from_ms) < first_end - first_start)::int AS first_played,
           last - (first < last AND 2 * (to_ms - last_start) < last_end - last_start)::int AS last_played
    FROM bounded
  ), visits AS (
    SELECT distribution_id, demo_id, unnest(range_agg(int8range(first, last + 1))) AS visited
    FROM touched GROUP BY id, distribution_id, demo_id
  ), edges AS (
    -- A bucket is the sum of the steps up to its number; steps are numbered from 1.
    SELECT distribution_id, demo_id, true AS is_play, unnest(ARRAY[first_played + 1, -(last_played + 2)])::int AS edge
    FROM halves WHERE first_played <= last_played
    UNION ALL
    SELECT distribution_id, demo_id, false, unnest(ARRAY[lower(visited) + 1, -(upper(visited) + 1)])::int FROM visits
  ), added AS (
    SELECT distribution_id, demo_id, array_agg(edge) FILTER (WHERE is_play) AS plays,
           array_agg(edge) FILTER (WHERE NOT is_play) AS visits
    FROM edges GROUP BY distribution_id, demo_id
  )
  INSERT INTO link_heatmaps (company_id, distribution_id, demo_id, play_steps, visit_steps)
  SELECT workspace, a.distribution_id, a.demo_id,
         -- 200 buckets, and the step after the last.
         with_steps(coalesce(h.play_steps, array_fill(0, ARRAY[201])), a.plays),
         with_steps(coalesce(h.visit_steps, array_fill(0, ARRAY[201])), a.visits)
  FROM added a
  -- LIMIT keeps the planner from joining by reading the whole table.
  LEFT JOIN LATERAL (
    SELECT play_steps, visit_steps FROM link_heatmaps
    WHERE company_id = workspace AND distribution_id = a.distribution_id AND demo_id = a.demo_id LIMIT 1
  ) AS h ON true
  ON CONFLICT (company_id, distribution_id, demo_id) DO UPDATE SET
    play_steps = EXCLUDED.play_steps, visit_steps = EXCLUDED.visit_steps;
END $$;
