import { Button, Group, NumberInput, Stack, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { problemsOf } from '../api/field-problems.ts';
import { ProblemNotice } from '../parts/problem-notice.tsx';
import type { EndpointDraft } from './endpoint-draft.ts';
import { EventChoice } from './event-choice.tsx';
import { HeaderFields, headersOf } from './header-fields.tsx';
import { isWholeUrl, urlProblem } from './url-problem.ts';
import { UrlTest } from './url-test.tsx';

const FIELDS = ['url', 'description', 'events', 'headers', 'maxPerMinute'] as const;
const MOST_PER_MINUTE = 10_000;

interface EndpointFormProps {
  /** What the form begins with. */
  initial: EndpointDraft;
  /** The endpoint that is changed; null for a new one. */
  endpointId: number | null;
  types: readonly string[];
  /** The name of the button. */
  action: string;
  /** The link that leaves the form. */
  cancel: ReactNode;
  error: unknown;
  isPending: boolean;
  /** Called when something is edited: an error is about what was there before. */
  onEdit: () => void;
  submit: (draft: EndpointDraft) => void;
}

/** The form of an endpoint, new or not. */
export function EndpointForm({
  initial,
  endpointId,
  types,
  action,
  cancel,
  error,
  isPending,
  onEdit,
  submit,
}: EndpointFormProps) {
  const [draft, setDraft] = useState(initial);
  const change = (part: Partial<EndpointDraft>) => {
    setDraft((before) => ({ ...before, ...part }));
    onEdit();
  };
  const { fields, general } = problemsOf(error, FIELDS);
  const url = draft.url.trim();
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        submit(draft);
      }}
    >
      <Stack gap="lg" className="panel" maw="46rem">
        <Stack gap="xs">
          <TextInput
            label="URL"
            description="Where events are sent to, by POST. A public host, with https."
            placeholder="https://hooks.example.com/deal-signals"
            type="url"
            inputMode="url"
            autoComplete="off"
            spellCheck={false}
            required
            value={draft.url}
            error={urlProblem(url) ?? fields.url}
            onChange={({ currentTarget }) => change({ url: currentTarget.value })}
          />
          <UrlTest url={url} headers={typedHeaders(draft)} endpointId={endpointId} />
        </Stack>
        <TextInput
          label="Description"
          description="What receives the events, for your own use."
          value={draft.description}
          error={fields.description}
          onChange={({ currentTarget }) => change({ description: currentTarget.value })}
        />
        <EventChoice
          types={types}
          value={draft.events}
          error={fields.events}
          onChange={(events) => change({ events })}
        />
        <HeaderFields
          headers={draft.headers}
          isUrlNew={url !== initial.url}
          error={fields.headers}
          onChange={(headers) => change({ headers })}
        />
        <NumberInput
          label="Deliveries a minute"
          description="The most that may be started in any minute. What is beyond it waits its turn. Empty for no limit."
          maw="24rem"
          min={1}
          max={MOST_PER_MINUTE}
          allowDecimal={false}
          allowNegative={false}
          value={draft.maxPerMinute}
          error={fields.maxPerMinute}
          onChange={(value) => change({ maxPerMinute: typeof value === 'number' ? value : '' })}
        />
        <ProblemNotice problem={general} />
        <Group gap="sm">
          <Button type="submit" loading={isPending} disabled={!isWholeUrl(url) || draft.events.length === 0}>
            {action}
          </Button>
          {cancel}
        </Group>
      </Stack>
    </form>
  );
}

/** The headers whose values are known here. */
function typedHeaders({ headers }: EndpointDraft): Record<string, string> {
  return headersOf(headers.filter(({ value }) => value !== ''));
}
