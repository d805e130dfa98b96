import { Button, Checkbox, Group, NumberInput, Stack, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { type FormRequest, firstPart, useRequestForm } from '../../api/request-form.ts';
import { ProblemNotice } from '../../parts/problem-notice.tsx';
import { type EndpointDraft, headersOf } from './endpoint-draft.ts';
import { EventChoice } from './event-choice.tsx';
import { FilterField, filterProblem } from './filter-field.tsx';
import { HeaderFields } from './header-fields.tsx';
import { isWholeUrl, urlProblem } from './url-problem.ts';
import { UrlTest } from './url-test.tsx';

const MAX_PER_MINUTE = 10_000;

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
  request: FormRequest;
  submit: (draft: EndpointDraft) => void;
}

/** The form of an endpoint, new or not. */
export function EndpointForm({
  initial,
  endpointId,
  types,
  action,
  cancel,
  request,
  submit,
}: EndpointFormProps) {
  const { form, problem } = useRequestForm(initial, request, placeOf);
  const { url: typed, events, filter, headers } = form.values;
  const url = typed.trim();
  const { error: refusedUrl, ...urlInput } = form.getInputProps('url');
  return (
    <form noValidate onSubmit={form.onSubmit(submit)}>
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
            error={urlProblem(url) ?? refusedUrl}
            {...urlInput}
          />
          <UrlTest
            url={url}
            // The values that are known here.
            headers={headersOf(headers.filter(({ value }) => value !== ''))}
            endpointId={endpointId}
          />
        </Stack>
        <TextInput
          label="Description"
          description="What receives the events, for your own use."
          {...form.getInputProps('description')}
        />
        <EventChoice
          types={types}
          value={events}
          error={form.getInputProps('events').error}
          onChange={(chosen) => form.setFieldValue('events', chosen)}
        />
        <FilterField
          value={filter}
          failure={request.error}
          onChange={(text) => form.setFieldValue('filter', text)}
        />
        <HeaderFields form={form} isUrlNew={url !== initial.url} />
        <NumberInput
          label="Deliveries a minute"
          description="Maximum deliveries per minute, retries included. Deliveries beyond it wait. Empty for no limit."
          maw="24rem"
          min={1}
          max={MAX_PER_MINUTE}
          allowDecimal={false}
          allowNegative={false}
          {...form.getInputProps('maxPerMinute')}
          onChange={(value) => form.setFieldValue('maxPerMinute', typeof value === 'number' ? value : '')}
        />
        <Checkbox
          label="Honor Retry-After"
          description="After a 429 or 503, wait as long as the receiver asks, if that is later than the schedule. At most two hours later."
          {...form.getInputProps('honorRetryAfter', { type: 'checkbox' })}
        />
        <ProblemNotice error={problem} />
        <Group gap="sm">
          <Button
            type="submit"
            loading={request.isPending}
            disabled={!isWholeUrl(url) || events.length === 0 || filterProblem(filter) !== null}
          >
            {action}
          </Button>
          {cancel}
        </Group>
      </Stack>
    </form>
  );
}

/** A header has a row of its own, which the API knows by its name. */
function placeOf(field: string, { headers }: EndpointDraft): string {
  const row = headers.findIndex(({ name }) => `headers.${name.trim()}` === field);
  return row === -1 ? firstPart(field) : `headers.${row}.name`;
}
